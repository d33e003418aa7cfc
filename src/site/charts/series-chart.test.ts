import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parseXml } from '@rgrove/parse-xml';
import { dayNumber } from '../../domain/days.ts';
import { contrast } from '../html/logo.ts';
import { MOST_SERIES, type NamedSeries, seriesChart } from './series-chart.ts';

const NETWORKS = ['Petrom', 'OMV', 'MOL', 'Lukoil', 'Rompetrol'];

const chart = (series: NamedSeries[], market?: NamedSeries) =>
  seriesChart({
    ...{ id: 'networks', title: 'Rețele', language: 'ro', firstDay: dayNumber('2026-11-20'), series },
    ...(market && { market }),
  }).text;
const marks = (markup: string) => [...markup.matchAll(/class="mark[^>]*>([^<]*)</g)].map(([, text]) => text);
const styleSheet = readFileSync(new URL('../style.css', import.meta.url), 'utf8');

describe('the chart of several prices', () => {
  it('names each line at its end, with its current price', () => {
    const markup = chart([
      { name: 'Petrom', prices: [9_400, 9_500] },
      { name: 'OMV', prices: [9_600, 9_700] },
    ]);
    assert.deepEqual(marks(markup), ['Petrom', '9,50', 'OMV', '9,70']);
  });

  it('gives no price to a line that ends before the last day', () => {
    const markup = chart([
      { name: 'Petrom', prices: [9_400, null] },
      { name: 'OMV', prices: [9_600, 9_700] },
    ]);
    assert.deepEqual(marks(markup), ['Petrom', 'OMV', '9,70']);
    assert.match(markup, /Petrom: Minim .* ultimul preț 9,40 lei pe 20 noiembrie 2026\./);
  });

  it('keeps the looks of the others when one has no price, and draws the market below them', () => {
    const markup = chart(
      [
        { name: 'Petrom', prices: [null] },
        { name: 'OMV', prices: [9_700] },
      ],
      { name: 'Piața', prices: [9_600] },
    );
    assert.deepEqual(
      [...markup.matchAll(/<path class="line ([^"]+)"/g)].map(([, look]) => look),
      ['market', 'series-2'],
    );
  });

  it('is well-formed with as many series as it takes, and refuses more', () => {
    const series = NETWORKS.map((name) => ({ name: `${name} <&`, prices: [9_500, 9_510] }));
    assert.equal(series.length, MOST_SERIES);
    parseXml(chart(series, { name: 'Piața', prices: [9_500, 9_500] }));
    assert.throws(() => chart([...series, ...series]), RangeError);
  });

  it('is a sentence if no series has a price', () => {
    assert.match(chart([{ name: 'Petrom', prices: [null] }]), /^<p class="none">/);
  });

  it('never tells series apart by colour alone: each has its own dashes', () => {
    const dashes = [2, 3, 4, 5].map(
      (n) => new RegExp(`\\.line\\.series-${n} \\{[^}]*stroke-dasharray: ([\\d ]+);`).exec(styleSheet)?.[1],
    );
    assert.ok(!dashes.includes(undefined), `${dashes}`);
    assert.equal(new Set(dashes).size, 4);
  });

  it('has colours that can be read as text on the paper of both themes', () => {
    const themes = styleSheet.split('prefers-color-scheme: dark').slice(0, 2);
    for (const theme of themes) {
      const colour = (name: string) => new RegExp(`--${name}: #([0-9a-f]+);`).exec(theme)?.[1] ?? '';
      const full = (hex: string) => `#${hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex}`;
      for (const n of [1, 2, 3, 4, 5]) {
        for (const paper of ['paper', 'card']) {
          const ratio = contrast(full(colour(`series-${n}`)), full(colour(paper)));
          assert.ok(ratio >= 4.5, `series-${n} on ${paper}: ${ratio}`);
        }
      }
    }
  });
});
