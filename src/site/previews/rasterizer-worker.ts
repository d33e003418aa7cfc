/** A worker thread that turns SVG into PNG, one picture after another, with the fonts that come along. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { PREVIEW_FONT, readFont } from './preview-fonts.ts';

export type RasterizerAnswer = { readonly png: Uint8Array } | { readonly failed: string };

await initWasm(readFileSync(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))));
const fontBuffers = [readFont(400), readFont(700)];

parentPort?.on('message', (svg: string) => {
  parentPort?.postMessage(answerOf(svg));
});

function answerOf(svg: string): RasterizerAnswer {
  try {
    const picture = new Resvg(svg, { font: { fontBuffers, defaultFontFamily: PREVIEW_FONT } });
    const pixels = picture.render();
    const png = pixels.asPng();
    pixels.free();
    picture.free();
    return { png };
  } catch (error) {
    return { failed: String(error) };
  }
}
