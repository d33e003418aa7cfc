import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { parseXml, type XmlElement } from '@rgrove/parse-xml';
import fc from 'fast-check';
import { dayNumber } from '../../domain/days.ts';
import { type StepChartOptions, stepChart } from './step-chart.ts';

const today = dayNumber('2026-11-22');

/** A price that changes on most days, by a reproducible amount. */
const restless = (length: number, start = 9_500) =>
  Array.from({ length }, (_, day) => start + 10 * Math.round(12 * Math.sin(day / 9) + 3 * Math.sin(day * 2.3)));

function draw(prices: (number | null)[], options: Partial<StepChartOptions> = {}): string {
  const required = { id: 'petrol', title: 'Benzina', name: 'această benzinărie', language: 'ro' } as const;
  return stepChart({ ...required, firstDay: today - prices.length + 1, prices, ...options }).text;
}

function bandAround(prices: number[]) {
  return {
    label: '8 din 10 benzinării din Cluj-Napoca',
    low: prices.map((price, day) => price - 50 - 10 * (day % 3)),
    middle: prices.map((price, day) => price + 10 * (day % 4)),
    high: prices.map((price, day) => price + 90 + 10 * (day % 5)),
  };
}

/** All elements of a name, at any depth. */
function elements(markup: string, name: string): XmlElement[] {
  const inside = (element: XmlElement): XmlElement[] =>
    element.children.flatMap((child) =>
      child.type === 'element' ? [child as XmlElement, ...inside(child as XmlElement)] : [],
    );
  return inside(parseXml(`<page>${markup}</page>`).root as XmlElement).filter((element) => element.name === name);
}

const marks = (markup: string) =>
  elements(markup, 'text').flatMap(({ attributes, text }) => (attributes.class === 'mark' ? [text] : []));
const linePath = (markup: string) =>
  elements(markup, 'path').find(({ attributes }) => attributes.class === 'line')?.attributes.d;

describe('the chart of one price', () => {
  it('names its lowest and its last price', () => {
    assert.deepEqual(marks(draw([9_400, 9_300, 9_500, 9_670])), ['minim 9,30', '9,67']);
    assert.deepEqual(marks(draw([9_400, 9_300, 9_500], { language: 'en' })), ['low 9.30', '9.50']);
  });

  it('says once that the last price is the lowest', () => {
    assert.deepEqual(marks(draw([9_400, 9_300])), ['9,30', 'minim']);
  });

  it('has one label if all prices are equal, or if there is only one', () => {
    assert.deepEqual(marks(draw([9_400, 9_400])), ['9,40']);
    assert.deepEqual(marks(draw([null, 9_400, null])), ['9,40']);
  });

  it('is a sentence if no day has a price', () => {
    assert.equal(draw([null, null]), '<p class="none">Nu există niciun preț în această perioadă.</p>');
    assert.equal(draw([]), draw([null]));
  });

  it('has a gap where no price is known, and not a line across it', () => {
    assert.equal(linePath(draw([9_500, null, 9_500]))?.match(/M/g)?.length, 2);
  });

  it('describes lowest, highest and current price to those who cannot see it', () => {
    assert.deepEqual(
      elements(draw([9_400, 9_300, 9_670, 9_500]), 'desc').map(({ text }) => text),
      ['Minim 9,30 lei pe 20 noiembrie 2026, maxim 9,67 lei pe 21 noiembrie 2026, acum 9,50 lei.'],
    );
  });

  it('does not call an earlier price the current one', () => {
    const [description] = elements(draw([9_400, 9_300, null], { language: 'en' }), 'desc');
    assert.match(description?.text ?? '', /, last known 9\.30 lei on 21 November 2026\.$/);
  });

  it('is labelled by its title and description, whose ids are those of this chart', () => {
    const [chart] = elements(draw([9_400], { id: 'diesel' }), 'svg');
    assert.equal(chart?.attributes['aria-labelledby'], 'diesel-title');
    assert.equal(chart?.attributes['aria-describedby'], 'diesel-desc');
    assert.deepEqual(
      [...elements(draw([9_400], { id: 'diesel' }), 'title'), ...elements(draw([9_400], { id: 'diesel' }), 'desc')].map(
        ({ attributes }) => attributes.id,
      ),
      ['diesel-title', 'diesel-desc'],
    );
  });

  it('draws the band and its median behind the line, and explains both', () => {
    const markup = draw(restless(90), { band: bandAround(restless(90)) });
    assert.deepEqual(
      elements(markup, 'path').map(({ attributes }) => attributes.class),
      ['band', 'middle', 'line'],
    );
    assert.deepEqual(
      elements(markup, 'span').map(({ text }) => text),
      ['această benzinărie', '8 din 10 benzinării din Cluj-Napoca', 'mediana lor'],
    );
  });

  it('makes room for a band that lies far from the line', () => {
    const markup = draw([9_500, 9_500], { band: { ...bandAround([9_500, 9_500]), high: [12_000, 12_000] } });
    assert.match(markup, />12,00<\/text>/);
  });

  it('has every position inside the picture, and is well-formed, whatever the prices', () => {
    const anyPrices = fc.array(fc.option(fc.integer({ min: 1_000, max: 20_000 })), { maxLength: 800 });
    fc.assert(
      fc.property(anyPrices, (prices) => {
        const positions = [...draw(prices).matchAll(/"(-?[\d.]+)%"/g)].map(([, percentage]) => Number(percentage));
        assert.ok(positions.every((position) => position >= 0 && position <= 100));
        assert.doesNotMatch(draw(prices), /NaN|Infinity|undefined/);
      }),
      { numRuns: 50 },
    );
  });

  it('starts or ends the label of the lowest price at its point near an edge, and centres it elsewhere', () => {
    const anchor = (lowestDay: number) => {
      const markup = draw(Array.from({ length: 20 }, (_, day) => (day === lowestDay ? 9_300 : 9_500)));
      return elements(markup, 'text').find(({ text }) => text.startsWith('minim'))?.attributes['text-anchor'];
    };
    assert.deepEqual([0, 10, 18].map(anchor), ['start', 'middle', 'end']);
  });

  it('escapes every text', () => {
    const hostile = `<b>"'&`;
    const band = { ...bandAround([9_500]), label: hostile };
    const markup = draw([9_500], { id: hostile, title: hostile, name: hostile, band });
    assert.deepEqual(elements(markup, 'b'), []);
    assert.equal(elements(markup, 'title')[0]?.text, hostile);
  });

  it('sends at most 5 kB for 90 days with a band, 1.8 kB compressed', () => {
    const markup = draw(restless(90), { band: bandAround(restless(90)) });
    assert.ok(markup.length <= 5_000, `${markup.length} bytes`);
    assert.ok(gzipSync(markup, { level: 9 }).length <= 1_800);
  });

  it('sends at most 12 kB for ten years', () => {
    const { length } = draw(restless(3_650));
    assert.ok(length <= 12_000, `${length} bytes`);
  });
});
