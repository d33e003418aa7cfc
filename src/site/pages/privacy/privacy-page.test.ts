import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { OFFER } from '../../../../test/support/builders/selling-fixture.ts';
import { readPage } from '../../../../test/support/service/site-builders.ts';
import { KEPT_DATA } from './kept-data.ts';
import { KEPT_SELLING_DATA } from './kept-selling-data.ts';

const document = readFileSync(new URL('../../../../docs/PRIVACY.md', import.meta.url), 'utf8');
const tableOf = (rows: typeof KEPT_DATA) =>
  rows.map(({ what, why, howLong }) => `| ${what.en} | ${why.en} | ${howLong.en} |`);

describe('what is kept about people', () => {
  it('is the same in docs/PRIVACY.md and on the page, with the times that the program enforces', () => {
    const rows = document.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| What '));
    assert.deepEqual(rows, [...tableOf(KEPT_DATA), ...tableOf(KEPT_SELLING_DATA)]);
    const page = readPage('/en/privacy', { selling: OFFER });
    for (const { howLong } of KEPT_SELLING_DATA) assert.ok(page.includes(howLong.en), howLong.en);
  });

  it('names accounts, their cookies and who processes payments only where something is sold or given', () => {
    const plain = readPage('/confidentialitate');
    assert.match(plain, /nu are conturi, cookie-uri/);
    assert.doesNotMatch(plain, /Stripe|Sesiunea din cont/);
    const selling = readPage('/confidentialitate', { selling: OFFER });
    assert.doesNotMatch(selling, /nu are conturi|nu scrie și nu citește niciunul/);
    assert.match(selling, /stripe\.com\/privacy[\s\S]*serverul de e-mail/);
    assert.match(selling, /Operatorul datelor este Pompa SRL, Str\. Lungă 1, Brașov, România, vanzari@pompa\.example/);
    assert.match(selling, /linkuri de intrare, formularele care cer unul se verifică la fel/);
    const given = readPage('/confidentialitate', { selling: { ...OFFER, seller: null } });
    assert.doesNotMatch(given, /stripe\.com/);
  });
});
