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
});
