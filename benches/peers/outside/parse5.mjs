// A peer: parse5-html-rewriting-stream with one handler for start tags. Arguments: number of rounds, folders.

import { readFileSync } from 'node:fs';
import { RewritingStream } from 'parse5-html-rewriting-stream';
import { isRelative, measure, target } from './documents.mjs';

const { version } = JSON.parse(
  readFileSync(new URL('./node_modules/parse5-html-rewriting-stream/package.json', import.meta.url)),
);

// The attributes of rewrite/attributes.rs.
const ATTRIBUTES = new Set([
  'a href', 'area href', 'audio src', 'blockquote cite', 'body background', 'button formaction', 'del cite', 'embed src',
  'form action', 'frame src', 'iframe src', 'img longdesc', 'img src', 'input formaction', 'input src', 'ins cite',
  'link href', 'object data', 'q cite', 'script src', 'source src', 'table background', 'td background', 'track src',
  'video poster', 'video src',
]);

await measure('parse5-html-rewriting-stream', version, ({ url, text }) => new Promise((resolve, reject) => {
  let base = url;
  let links = 0;
  let html = '';
  const stream = new RewritingStream();
  stream.on('startTag', (tag, raw) => {
    let isChanged = false;
    for (const attribute of tag.attrs) {
      if (tag.tagName === 'base' && attribute.name === 'href') {
        base = target(base, attribute.value);
      } else if (ATTRIBUTES.has(`${tag.tagName} ${attribute.name}`) && isRelative(attribute.value)) {
        attribute.value = target(base, attribute.value);
        isChanged = true;
        links += 1;
      }
    }
    if (isChanged) stream.emitStartTag(tag);
    else stream.emitRaw(raw);
  });
  stream.on('data', (chunk) => { html += chunk; });
  stream.on('error', reject);
  stream.on('end', () => resolve({ links, html }));
  stream.end(text);
}));
