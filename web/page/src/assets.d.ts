/** Files that the bundler includes as text. */
declare module "*.tsv" {
  const text: string;
  export default text;
}
