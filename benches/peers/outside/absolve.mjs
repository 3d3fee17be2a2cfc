// The npm package of absolve, from bytes to bytes. Arguments: number of rounds, folders.

import { readFileSync } from 'node:fs';
import { Rewriter } from 'absolve';
import { measure } from './documents.mjs';

const { version } = JSON.parse(readFileSync(new URL('./node_modules/absolve/package.json', import.meta.url)));
const rewriter = new Rewriter();

await measure('absolve, npm', version, ({ url, bytes }) => {
  const { content, edited } = rewriter.rewrite(bytes, url);
  return { links: edited, html: content };
});
