// A peer: posthtml with posthtml-urls. Arguments: number of rounds, folders.

import { readFileSync } from 'node:fs';
import posthtml from 'posthtml';
import urls from 'posthtml-urls';
import { isRelative, measure, target } from './documents.mjs';

const { version } = JSON.parse(readFileSync(new URL('./node_modules/posthtml-urls/package.json', import.meta.url)));

await measure('posthtml-urls', version, async ({ url, text }) => {
  let links = 0;
  const eachURL = (reference) => {
    if (!isRelative(reference)) return reference;
    links += 1;
    return target(url, reference);
  };
  const { html } = await posthtml().use(urls({ eachURL })).process(text);
  return { links, html };
});
