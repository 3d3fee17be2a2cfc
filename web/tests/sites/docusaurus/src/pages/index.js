import Link from "@docusaurus/Link";

export default function Home() {
  return (
    <main>
      <Link to="/posts/first">First</Link>
      <a href="https://other.example/x">Elsewhere</a>
      <img src="/docs/img/a.svg" alt="" />
    </main>
  );
}
