/** Documents to begin with. */

/** A document, with the values of fields that differ from the default ones. */
export interface Example {
  readonly title: string;
  readonly text: string;
  readonly fields?: Readonly<Record<string, string>>;
}

const PAGE = "https://example.org/dir/page.html";

export const EXAMPLES: readonly Example[] = [
  {
    title: "A page with BASE",
    text: `<!DOCTYPE html>
<html lang="en">
<head>
<title>Links of all kinds</title>
<base href="/docs/v2/">
<link rel="stylesheet" href="site.css">
</head>
<body style="background: url(paper.png)">
<a href="intro.html">Introduction</a>
<a href="#top">Top, which BASE leads elsewhere</a>
<a href="../../../up.html">More .. than there are directories</a>
<img src="a.png" srcset="a.png 1x, a@2x.png 2x" alt="">
<a href="https://other.example/">Another host</a>
<a href="{{ url }}">A template</a>
<script>const text = '<a href="not-a-link">';</script>
</body>
</html>
`,
    fields: { url: PAGE },
  },
  {
    title: "BASE where it does not count",
    text: `<title>Four BASE elements</title>
<script>document.write('<base href="/in-a-script/">')</script>
<template><base href="/in-a-template/"></template>
<base href="//cdn.example/first/">
<base href="/second/">
<body>
<base href="/in-the-body/">
<a href="page">Where does it lead?</a>
`,
    fields: { url: PAGE },
  },
  {
    title: "RFC 1808, section 10",
    text: `<HTML><HEAD>
<TITLE>An example HTML document</TITLE>
<BASE href="http://www.ics.uci.edu/Test/a/b/c">
</HEAD><BODY>
... <A href="../x">a hypertext anchor</A> ...
</BODY></HTML>
`,
  },
  {
    title: "Profiles that differ",
    text: `<a href=";x">Parameters</a>
<a href="../../../g">Above the root</a>
<a href="http:g">A scheme without slashes</a>
<a href="g;x=1/../y">Dots in parameters</a>
<a href="?y">A query</a>
<a href="\\windows\\path">Backslashes</a>
`,
    fields: { url: "http://a/b/c/d;p?q" },
  },
  {
    title: "A document in a document",
    text: `<base href="https://example.org/outer/">
<a href="a">Outer</a>
<iframe srcdoc="<a href='b'>Inner</a> <base href='/inner/'>"></iframe>
<iframe srcdoc="<base href='/inner/'><a href='c'>Inner, with BASE</a>"></iframe>
`,
    fields: { url: PAGE },
  },
  {
    title: "A feed",
    text: `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0">
<channel>
<title>Posts</title>
<link>/blog/</link>
<item>
<link>/blog/cats/</link>
<description>&lt;img src="cat.png"&gt; &lt;a href="../dogs/"&gt;Dogs&lt;/a&gt;</description>
</item>
</channel>
</rss>
`,
    fields: { url: "https://example.org/feed.xml" },
  },
  {
    title: "A mail",
    text: `From: news@example.org
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable
Content-Location: https://example.org/news/today.html

<p>Caf=C3=A9: <a href=3D"menu.html">the menu</a>
`,
  },
  {
    title: "A style sheet",
    text: `@import "more.css";
body { background: url(../img/paper.png) }
.icon { background: image-set("icon.png" 1x, "icon@2x.png" 2x) }
.mark { fill: url(#gradient) }
`,
    fields: { url: "https://example.org/css/site.css", kind: "css" },
  },
];
