import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aHistory,
  aSnapshot,
  aStation,
  doubtful,
  recordsOf,
  TODAY,
  trusted,
} from '../../../../test/support/builders/snapshot-builders.ts';
import { aSite, awaitPage } from '../../../../test/support/service/site-builders.ts';
import { dayText } from '../../../domain/days.ts';
import type { PriceVerdict } from '../../../domain/prices/price-verdict.ts';

/** 7,50 lei, and 7,30 from 10 November on; today is the 20th. */
function aSnapshotWithDrop({ days = 89, now = trusted(7_300) }: { days?: number; now?: PriceVerdict } = {}) {
  const past = Array.from({ length: days }, (_, index) => dayText(TODAY - days + index));
  const petrol = Object.fromEntries(past.map((day) => [day, day < '2026-11-10' ? 7_500 : 7_300]));
  const station = aStation({ id: 'c0ffee000000' });
  return aSnapshot({
    records: recordsOf(station, { petrol: now }),
    histories: { c0ffee000000: aHistory(past[0] as string, { petrol }) },
  });
}
const read = (path: string, snapshot = aSnapshotWithDrop()) => awaitPage(path, { snapshot });
const rowsOf = (text: string) =>
  [...(/id="previzualizare".*?<\/section>/s.exec(text)?.[0] ?? '').matchAll(/<tr><th scope="row">(.*?)<\/tr>/g)].map(
    ([, row = '']) =>
      row
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
  );

describe('the simulation of alerts', () => {
  it('lists the day of each alert that the rules would have sent, with the price before and after', async () => {
    const text = await read('/alerte?oras=cluj-napoca&tip=benzina');
    assert.match(text, /Cluj-Napoca, benzină<\/a>: în ultimele 30 de zile ar fi fost trimisă 1 alertă\./);
    assert.deepEqual(
      rowsOf(text).map((row) => row.slice(0, 52)),
      ['10 noiembrie 2026 7,50 7,30 Minimul a 30 de zile Pet'],
    );
    assert.match(
      await read('/en/alerts?oras=Cluj-Napoca&tip=petrol'),
      /1 alert would have been sent in the last 30 days/,
    );
  });

  it('judges by today’s trusted price only', async () => {
    const cheaper = await read('/alerte?oras=cluj-napoca', aSnapshotWithDrop({ now: trusted(7_100) }));
    assert.equal(rowsOf(cheaper).length, 2);
    const now = doubtful(7_100, 'stuck', null);
    const uncertain = await read('/alerte?oras=cluj-napoca', aSnapshotWithDrop({ now }));
    assert.equal(rowsOf(uncertain).length, 1);
  });

  it('says of how many days it knows the prices, and what it cannot know', async () => {
    const text = await read('/alerte?oras=cluj-napoca', aSnapshotWithDrop({ days: 4 }));
    assert.match(text, /nu ar fi fost nicio alertă/);
    assert.match(text, /prețurile sunt cunoscute pentru 5 zile/);
    assert.match(text, /nu se știe nici sursa, nici ce preț era îndoielnic/);
  });

  it('refuses a place without stations, and asks for nothing without a place', async () => {
    const refused = await aSite({ snapshot: aSnapshotWithDrop() })('/alerte?oras=%3Cb%3E');
    assert.equal(refused.status, 400);
    assert.match(refused.body.toString(), /Nu cunoaștem nicio benzinărie în „&lt;b&gt;”/);
    const english = await aSite({ snapshot: aSnapshotWithDrop() })('/en/alerts?oras=zzz');
    assert.match(english.body.toString(), /We know no station in “zzz”/);
    assert.doesNotMatch(await read('/alerte'), /class="answer"|class="problem"/);
  });

  it('is linked from the page of a fuel in a city', async () => {
    const text = await read('/preturi-carburanti/cluj-napoca/benzina');
    assert.match(text, /<a href="\/alerte\?oras=cluj-napoca&amp;tip=benzina#previzualizare">Ce alerte ar fi fost aici/);
  });
});
