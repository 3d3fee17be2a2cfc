export default function (config) {
  config.addPassthroughCopy({ static: "/" });
}
