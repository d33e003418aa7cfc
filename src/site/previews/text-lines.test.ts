import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lineWidth } from './preview-fonts.ts';
import { cutLine, fitText } from './text-lines.ts';

const SIZES = { oneLine: [96, 80], twoLines: [60, 50, 40] } as const;
const fits = (lines: readonly string[], size: number, width: number) =>
  lines.every((line) => lineWidth(line, size, 700) <= width);

describe('text in a picture', () => {
  it('is as large as fits in one line', () => {
    assert.deepEqual(fitText('Iași', 600, SIZES), { lines: ['Iași'], size: 96 });
    assert.equal(fitText('Cluj-Napoca oraș', 700, SIZES).size, 80);
  });

  it('breaks at a space rather than at a hyphen', () => {
    assert.deepEqual(fitText('Drobeta-Turnu Severin', 600, SIZES), { lines: ['Drobeta-Turnu', 'Severin'], size: 60 });
    assert.deepEqual(fitText('Popești-Leordeni-Popești', 500, SIZES).lines.join(''), 'Popești-Leordeni-Popești');
  });

  it('is cut where two lines are too few, and never wider than its room', () => {
    const long = 'Bulevardul Independenței, complex comercial „Nufărul” nr. 382-384, sector 6, lângă podul Grant';
    for (const text of [long, 'x'.repeat(200), `${'x'.repeat(60)} ${'y'.repeat(60)}`]) {
      const { lines, size } = fitText(text, 600, SIZES);
      assert.ok(lines.length <= 2 && fits(lines, size, 600), lines.join(' | '));
      assert.ok(lines.at(-1)?.endsWith('…'));
    }
    assert.equal(cutLine('24 de benzinării', 1_000, 30), '24 de benzinării');
    assert.equal(cutLine('Stația, și', lineWidth('Stația, …', 30, 400), 30), 'Stația…');
  });

  it('has the widths of the font, with those of letters that only Romanian has', () => {
    for (const letter of 'ăâîșțĂÂÎȘȚ') {
      const width = lineWidth(letter, 1_000, 400);
      const plain = lineWidth(letter.normalize('NFD').charAt(0), 1_000, 400);
      assert.ok(Math.abs(width - plain) < 30, `${letter}: ${width}, ${plain}`);
    }
    assert.ok(lineWidth('9,59', 100, 700) > lineWidth('9,59', 100, 400));
  });
});
