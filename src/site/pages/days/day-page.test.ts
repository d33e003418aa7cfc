import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aCity, aSnapshot, TODAY } from '../../../../test/support/builders/snapshot-builders.ts';
import { aSite, awaitPage, readPage } from '../../../../test/support/service/site-builders.ts';
import { dayNumber, dayText } from '../../../domain/days.ts';
import type { RoadFuel } from '../../../domain/fuel.ts';
import type { DayStatistics, StatisticsScope } from '../../../domain/prices/day-statistics.ts';

/** Means of the last days, today last, in thousandths. */
const MEANS = [...Array.from({ length: 40 }, (_, index) => 9_500 + 10 * (index % 7)), 9_700, 9_680];

function statistics(scope: StatisticsScope, fuel: RoadFuel): DayStatistics[] {
  if (fuel !== 'petrol' || !['national', 'city:cluj-napoca'].includes(scope)) return [];
  return MEANS.map((mean, index) => {
    const day = TODAY - MEANS.length + 1 + index;
    const around = { min: mean - 90, p10: mean - 50, median: mean, p90: mean + 50, max: mean + 200 };
    return { day, stations: 24, mean, ...around };
  });
}

const given = { snapshot: aSnapshot({ cities: [aCity()], statistics }) };

describe('the page of today', () => {
  const text = readPage('/azi', given);

  it('says the mean, the range and the change in a sentence', () => {
    assert.ok(
      text.includes(
        'Azi, prețul mediu al benzinei este de 9,68 lei pe litru (între 9,59 și 9,88 lei, 24 de benzinării), cu 2 bani mai puțin decât ieri.',
      ),
    );
    assert.match(text, /<title>Prețul carburanților azi: benzină 9,68 lei<\/title>/);
  });

  it('has the changes over a day, a week, a month and a year, or a dash', () => {
    const row = /Benzină<\/th>(<td.*?)<\/tr>/.exec(text)?.[1] ?? '';
    const cells = [...row.matchAll(/<td class="num[^>]*>(.*?)<\/td>/g)].map(([, cell]) =>
      cell?.replace(/<.*>(.*)<.*>/, '$1'),
    );
    const change = (days: number) => (MEANS.at(-1) as number) - (MEANS.at(-1 - days) as number);
    assert.deepEqual(cells, ['9,59', '9,68', '9,88', '−2', `+${change(7) / 10}`, `+${change(30) / 10}`, '–']);
  });

  it('has a full tank and the lowest prices of the largest cities', () => {
    assert.match(text, /Un plin de 50 de litri[\s\S]*Benzină: 484 lei/);
    assert.match(text, /Cluj-Napoca<\/a><\/th><td class="num">9,59<\/td>/);
  });

  it('says so if no price is known', () => {
    assert.match(readPage('/azi'), /nu este cunoscut niciun preț/);
  });
});

describe('the page of all days', () => {
  it('leads to any day that has figures, and says so of one that has none', () => {
    assert.match(readPage('/zi', given), /<input type="date" name="ziua" min="[\d-]{10}" max="2026-11-20" required>/);
    const redirectOf = (target: string) => {
      const { status, headers } = aSite(given)(target);
      return [status, headers?.Location];
    };
    assert.deepEqual(redirectOf('/zi?ziua=2026-11-18'), [301, '/zi/2026-11-18']);
    assert.deepEqual(redirectOf('/en/day?ziua=2026-11-20'), [301, '/en/today']);
    for (const day of ['1999-01-01', '2026-02-31', 'x'])
      assert.match(readPage(`/zi?ziua=${day}`, given), /Pentru această zi nu este cunoscut niciun preț/);
  });

  it('has a feed that readers find, and a file', () => {
    for (const path of ['/zi', '/azi', '/zi/2026-11-18'])
      assert.match(readPage(path, given), /<link rel="alternate" type="application\/atom\+xml" href="\/azi\.atom">/);
    assert.match(readPage('/azi', given), /<a href="\/statistici\/national\.csv" download>CSV<\/a>/);
  });
});

describe('the file of a day', () => {
  it('is linked beside the figures of its page, and has the same ones', async () => {
    for (const [path, file] of [
      ['/azi', '/zi/2026-11-20.csv'],
      ['/en/today', '/zi/2026-11-20.csv'],
      ['/zi/2026-11-18', '/zi/2026-11-18.csv'],
    ] as const)
      assert.ok(readPage(path, given).includes(`</table></div>\n<p><a href="${file}" download>`), path);
    const [header, country, city, ...others] = (await awaitPage('/zi/2026-11-20.csv', given)).trimEnd().split('\r\n');
    assert.equal(
      header,
      'ziua,loc,carburant,minim,mediu,maxim,schimbare_1,schimbare_7,schimbare_30,schimbare_365,plin_lei',
    );
    const change = (days: number) => ((MEANS.at(-1) as number) - (MEANS.at(-1 - days) as number)) / 1000;
    assert.equal(
      country,
      `2026-11-20,România,Benzină standard,9.59,9.68,9.88,${change(1)},${change(7)},${change(30)},,484.00`,
    );
    assert.equal(city, '2026-11-20,Cluj-Napoca,Benzină standard,9.59,,,,,,,');
    assert.deepEqual(others, []);
    assert.match((await awaitPage('/zi/2026-11-18.csv', given)).split('\r\n')[1] ?? '', /^2026-11-18,România/);
  });

  it('is there only for days with figures', () => {
    for (const day of ['1999-01-01', '2026-02-31', '2026-11-21'])
      assert.equal(aSite(given)(`/zi/${day}.csv`).status, 404, day);
  });
});

describe('the page of a day', () => {
  it('says what the fuel costs today, against that day', () => {
    const difference = ((MEANS.at(-1) as number) - (MEANS.at(-3) as number)) / 10;
    const text = readPage('/zi/2026-11-18', given);
    assert.ok(text.includes(`Benzină: 9,68 lei (${difference > 0 ? '+' : '−'}${Math.abs(difference)} ban`), text);
    assert.doesNotMatch(readPage('/azi', given), /față de ziua aceasta/);
  });

  it('has the figures of that day, a record if it was one, and leads to its neighbours', () => {
    const text = readPage(`/zi/${dayText(TODAY - 1)}`, given);
    assert.ok(text.includes('Pe 19 noiembrie 2026, prețul mediu al benzinei a fost de 9,70 lei pe litru'));
    assert.ok(text.includes('Este cel mai mare preț mediu al benzinei de când există măsurători.'));
    assert.match(text, /‹ <a href="\/zi\/2026-11-18">18 noiembrie 2026<\/a>/);
    assert.match(text, /<a href="\/azi">20 noiembrie 2026<\/a> ›/);
  });

  it('of today is the page of today', () => {
    const { status, headers } = aSite(given)(`/zi/${dayText(TODAY)}`);
    assert.deepEqual([status, headers.Location], [301, '/azi']);
  });

  it('does not exist without figures, nor for what is no date', () => {
    for (const day of ['2020-01-01', '2026-02-30', '2026-11-2', 'ieri'])
      assert.equal(aSite(given)(`/zi/${day}`).status, 404, day);
  });

  it('is the same in English', () => {
    const text = readPage(`/en/day/${dayText(TODAY - 1)}`, given);
    assert.match(text, /On 19 November 2026, the average price of petrol was 9\.70 lei per litre/);
  });
});

describe('the list of days', () => {
  it('has every day, newest first, and the feed', () => {
    const text = readPage('/zi', given);
    const [, main = ''] = text.split('<main');
    const days = [...main.matchAll(/<li><a href="(\/azi|\/zi\/[\d-]+)">/g)].map(([, path]) => path);
    assert.equal(days.length, MEANS.length);
    assert.deepEqual(days.slice(0, 2), ['/azi', '/zi/2026-11-19']);
    assert.match(text, /<h2>noiembrie 2026<\/h2>\s*<ul class="columns">/);
    assert.match(text, /<a href="\/azi\.atom">zilele noi, ca flux \(Atom\)<\/a>/);
  });

  it('shows one year at a time, the last one first, and leads to the others', () => {
    const years = ['2025-12-31', '2026-01-01', dayText(TODAY)].map((day) => ({
      ...(statistics('national', 'petrol')[0] as DayStatistics),
      day: dayNumber(day),
    }));
    const list = (path: string) => readPage(path, { snapshot: aSnapshot({ statistics: () => years }) });
    const daysIn = (text: string) => [...text.matchAll(/<li><a href="\/(zi\/[\d-]+|azi)">\d/g)].map(([, day]) => day);
    assert.deepEqual(daysIn(list('/zi')), ['azi', 'zi/2026-01-01']);
    assert.match(list('/zi'), /<strong>2026<\/strong> <a href="\/zi\?an=2025">2025<\/a>/);
    assert.deepEqual(daysIn(list('/zi?an=2025')), ['zi/2025-12-31']);
    assert.match(list('/zi?an=2025'), /<title>Prețurile la carburanți în 2025, zi de zi/);
    assert.match(list('/en/day?an=2025'), /content="The average, lowest and highest price of every day of 2025/);
    assert.match(list('/zi?an=2025'), /hreflang="en" href="[^"]*\/en\/day\?an=2025"/);
    for (const unknown of ['1999', '<b>', ''])
      assert.deepEqual(daysIn(list(`/zi?an=${encodeURIComponent(unknown)}`)), ['azi', 'zi/2026-01-01']);
  });

  it('is an Atom feed, too', () => {
    const { contentType, body } = aSite(given)('/azi.atom');
    assert.equal(contentType, 'application/atom+xml; charset=utf-8');
    const entries = body.toString().match(/<entry>.*<\/entry>/g) ?? [];
    assert.equal(entries.length, 30);
    assert.match(
      entries[0] ?? '',
      /<link href="https:\/\/pompa\.example\/azi"\/>.*<summary>Azi, prețul mediu al benzinei/,
    );
  });
});

describe('the history', () => {
  it('has records, a chart with its numbers, and every series as CSV', async () => {
    const text = readPage('/statistici', given);
    assert.match(text, /<td>9,50 <span class="unit">[^<]+<\/span><\/td><td>9,70 <span class="unit">19 noiembrie 2026</);
    assert.match(text, /<h2 id="petrol">Prețul mediu al benzinei<\/h2>/);
    assert.doesNotMatch(text, /<h2 id="lpg">/);
    assert.match(text, /<caption>Recordurile prețului mediu, lei pe litru, cu prima zi a fiecăruia<\/caption>/);
    const [, record = ''] = /<td>9,50 <span class="unit">([^<]+)</.exec(text) ?? [];
    assert.ok(text.includes(`Minim 9,50 lei pe ${record}`), 'table and chart name the same day');
    const csv = (await awaitPage('/statistici/national.csv', given)).trimEnd().split('\r\n');
    assert.equal(csv.length, 1 + MEANS.length);
    assert.equal(csv.at(-1), '2026-11-20,Benzină standard,24,9.59,9.63,9.68,9.68,9.73,9.88');
    const ofCity = await awaitPage('/statistici/oras-cluj-napoca.csv', given);
    assert.equal(ofCity.split('\r\n').length, 2 + MEANS.length);
  });

  it('has no file for anything else', () => {
    for (const name of ['judet-nicaieri', 'retea-', 'national-x', 'altceva'])
      assert.equal(aSite(given)(`/statistici/${name}.csv`).status, 404, name);
  });
});

describe('the page of a fuel in a city with a past', () => {
  const text = readPage('/preturi-carburanti/cluj-napoca/benzina', given);

  it('says whether today is cheap, over every period with enough days', () => {
    assert.match(
      text,
      /<h2>E ieftin azi\?<\/h2>\s*<p><strong>Nu, azi este scump față de ultimele 30 de zile\.<\/strong>/,
    );
    assert.match(text, /<li>Media de azi este mai mare decât în 86% din ultimele 7 zile/);
    assert.doesNotMatch(text, /ultimele 365/);
    assert.ok(text.indexOf('E ieftin azi?') < text.indexOf('class="ranking"'), 'before the long list');
  });

  it('calls a price that never moved a usual one', () => {
    const flat = (scope: StatisticsScope, fuel: RoadFuel) =>
      statistics(scope, fuel).map((day) => ({ ...day, mean: 7_450 }));
    const unmoved = readPage('/preturi-carburanti/cluj-napoca/benzina', {
      snapshot: aSnapshot({ cities: [aCity()], statistics: flat }),
    });
    assert.match(unmoved, /<strong>Azi este un preț obișnuit în ultimele 30 de zile\.<\/strong>/);
    assert.match(unmoved, /<li>Media de azi este aceeași ca în ultimele 7 zile\.<\/li>/);
  });

  it('has the chart of 90 days with its numbers', () => {
    assert.match(text, /<h2>Prețul benzinei în ultimele 90 de zile<\/h2>/);
    assert.match(text, /8 din 10 benzinării din Cluj-Napoca/);
    assert.match(text, /<details class="chart-table">/);
  });
});
