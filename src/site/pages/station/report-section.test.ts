import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aSnapshot,
  aStation,
  expired,
  NOON,
  recordsOf,
  trusted,
} from '../../../../test/support/builders/snapshot-builders.ts';
import { aWholeSite } from '../../../../test/support/service/site-builders.ts';
import type { AcceptedReport } from '../../../domain/driver-report.ts';

const ID = '0a1b2c3d4e5f';
const station = aStation({ id: ID });
const snapshot = aSnapshot({
  records: recordsOf(station, {
    petrol: trusted(7_450),
    diesel: expired('2026-11-18T12:05:00Z'),
    adblue: trusted(4_000),
  }),
});
const SLUG = `petrom-cluj-napoca-${ID}`;

const accepted = (about: Partial<AcceptedReport>): AcceptedReport => ({
  ...{ kind: 'price', fuel: 'petrol', shownPrice: 7_450, seenPrice: 7_590, createdAt: NOON, decidedAt: NOON },
  ...about,
});

async function pageWith(reports: readonly AcceptedReport[] | null, path = `/statie/${SLUG}`) {
  const asked: string[] = [];
  const reportsOf = async (id: string) => {
    asked.push(id);
    return reports;
  };
  const { body, headers } = await aWholeSite({ snapshot, reportsOf })(path, new URLSearchParams());
  return { text: body.toString(), headers, asked };
}

const listed = (text: string) =>
  [...text.matchAll(/<li>([^<]*), (?:verificat pe|checked on) <time/g)].map(([, words]) => words);

describe('the confirmed reports on the page of a station', () => {
  it('are told in words, beside the price of the source', async () => {
    const reports = [
      accepted({}),
      accepted({ seenPrice: null }),
      accepted({ kind: 'no_fuel', seenPrice: null }),
      accepted({ fuel: 'diesel', shownPrice: null, seenPrice: 7_990 }),
      accepted({ kind: 'closed', fuel: null, shownPrice: null, seenPrice: null }),
    ];
    const { text, asked } = await pageWith(reports);
    assert.deepEqual(asked, [ID]);
    assert.deepEqual(listed(text), [
      'Benzină: 7,59 lei la pompă, nu 7,45',
      'Benzină: alt preț la pompă, nu 7,45',
      'Benzină: stația nu are acest carburant',
      'Motorină: 7,99 lei la pompă',
      'Stația este închisă',
    ]);
    assert.match(text, /<strong>7,45</);
    const english = await pageWith(reports.slice(0, 1), `/en/station/${SLUG}`);
    assert.deepEqual(listed(english.text), ['Petrol: 7.59 lei at the pump, not 7.45']);
  });

  it('end with the price that they are about; those for the moderator alone are never shown', async () => {
    const { text } = await pageWith([accepted({ shownPrice: 7_400 }), accepted({ kind: 'other', seenPrice: null })]);
    assert.doesNotMatch(text, /Semnalat de șoferi/);
  });
});

describe('the form to report a price', () => {
  it('works without code: each fuel with the price that the page shows, and the text disabled', async () => {
    const { text, headers } = await pageWith([]);
    assert.ok(
      text.includes(`<form class="rate" id="formular-semnalare" method="post" action="/statie/${SLUG}/semnalare">`),
    );
    assert.deepEqual(
      [...text.matchAll(/<option value="([^"]*)">([^<]*)</g)].map(([, value, words]) => [value, words]),
      [
        ['petrol 7450', 'Benzină, 7,45 lei'],
        ['diesel', 'Motorină, fără preț'],
        ['adblue 4000', 'AdBlue, 4,00 lei'],
      ],
    );
    assert.match(text, /<fieldset data-challenge="\/captcha\/provocare" hidden disabled>/);
    assert.equal(headers['Referrer-Policy'], 'same-origin');
    const { text: english } = await pageWith([], `/en/station/${SLUG}`);
    assert.ok(english.includes(`action="/en/station/${SLUG}/report"`));
  });

  it('is within reach from the top, by a fragment inside the fold, which browsers then open', async () => {
    const { text } = await pageWith([]);
    assert.match(text.split('<h2>')[0] ?? '', /<a href="#formular-semnalare">Semnalați un preț greșit<\/a>/);
    assert.match(text, /<details class="fold"[^>]*><summary>[^<]*<\/summary>\s*<form [^>]*id="formular-semnalare"/);
  });

  it('is not there while reports cannot be read, nor on a site that takes none', async () => {
    assert.doesNotMatch((await pageWith(null)).text, /semnalare/);
    const site = aWholeSite({ snapshot });
    const { body } = await site(`/statie/${SLUG}`, new URLSearchParams());
    assert.doesNotMatch(body.toString(), /semnalare/);
    assert.equal(site.reportOutcome, undefined);
  });
});
