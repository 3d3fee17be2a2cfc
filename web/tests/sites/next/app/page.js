import Link from "next/link";

import { rewrite } from "absolve";

export default function Home() {
  return (
    <main title={rewrite("<a href=x>", "https://other.example/")}>
      <Link href="/posts/first/">First</Link>
      <img src="/docs/img/b.svg" alt="" />
    </main>
  );
}
