import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvCell } from './csv-cell.ts';

describe('A cell of a CSV file', () => {
  it('is empty for what is missing, and plain for numbers and flags', () => {
    assert.deepEqual(
      [csvCell(null), csvCell(undefined), csvCell(''), csvCell(7.459), csvCell(true)],
      ['', '', '', '7.459', 'true'],
    );
    assert.equal(csvCell(-0.5), '-0.5');
  });

  it('is quoted if it has a comma, a quote or a line break', () => {
    assert.equal(csvCell('Magazin, Spălătorie'), '"Magazin, Spălătorie"');
    assert.equal(csvCell('a "b"'), '"a ""b"""');
    assert.equal(csvCell('a\nb'), '"a\nb"');
    assert.equal(csvCell('Calea Turzii 178'), 'Calea Turzii 178');
  });

  it('is text where a spreadsheet would run it', () => {
    for (const formula of ['=1+1', '@SUM(A1)', '+cmd|A1', '-cmd', '-2+3+cmd|A0', '\t=1', '\tx', ' =1', '+40=1']) {
      assert.equal(csvCell(formula), `'${formula}`, formula);
    }
  });

  it('keeps phones and signed numbers as they are', () => {
    for (const phone of ['+40 264 000 000', '+40(264)000.000', '-7', '+40/264-000'])
      assert.equal(csvCell(phone), phone);
  });

  it('is text where a spreadsheet would run it in full width or after what nobody sees', () => {
    for (const formula of ['＝1+1', '＋1', '－1', '＠x', ' ＝1', '\u200b=1+1', '\u2060\ufeff \u200b+cmd|A', '\u00ad@x'])
      assert.equal(csvCell(formula), `'${formula}`, formula);
  });

  it('is text where it would begin a cell of a spreadsheet that splits at semicolons and line breaks', () => {
    const guarded: Record<string, string> = {
      'x;=1+1': "x;'=1+1",
      ';＋1': ";'＋1",
      'x; \u200b@y': "x;' \u200b@y",
      'x;-2;+cmd': "x;'-2;'+cmd",
      'x\n=1': `"x\n'=1"`,
      'x\r\n-1+cmd': `"x\r\n'-1+cmd"`,
      'x;"=1"': `"x;'""=1"""`,
    };
    for (const [value, cell] of Object.entries(guarded)) assert.equal(csvCell(value), cell, value);
  });

  it('is the text itself without such a sign where a cell begins', () => {
    const plain = [
      "'x",
      'a=b',
      'a;b=c',
      'Str. Gării 1; lângă pod',
      'Non-Stop; L-V',
      'DN1 km 7+200',
      'a@b.ro',
      '\u200bx',
    ];
    for (const text of plain) assert.equal(csvCell(text), text);
  });

  it('is made in linear time', () => {
    for (const unit of [';', ' ', '; ', '"', '+', '-1 ', '\u200b;', '\n ']) {
      const begun = process.cpuUsage();
      csvCell(unit.repeat(200_000));
      assert.ok(process.cpuUsage(begun).user < 2_000_000, JSON.stringify(unit));
    }
  });
});
