// Parses the Mermaid drawings of the pages in its arguments. It needs the packages mermaid and jsdom.
import { readFileSync } from 'node:fs';
import { JSDOM } from 'jsdom';

globalThis.window = new JSDOM('').window;
globalThis.document = window.document;
const { default: mermaid } = await import('mermaid');

let drawings = 0;
for (const page of process.argv.slice(2)) {
  for (const [, drawing] of readFileSync(page, 'utf8').matchAll(/^```mermaid\n(.*?)^```/gms)) {
    drawings++;
    try {
      await mermaid.parse(drawing);
    } catch (error) {
      console.error(`${page}: drawing ${drawings}: ${error}`);
      process.exitCode = 1;
    }
  }
}
console.log(`${drawings} drawings`);
