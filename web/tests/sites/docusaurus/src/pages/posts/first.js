import Link from "@docusaurus/Link";

export default function First() {
  return (
    <main>
      <Link to="/">Home</Link>
      <img src="../../img/b.svg" alt="" />
    </main>
  );
}
