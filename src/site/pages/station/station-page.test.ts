import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aHistory,
  aNetwork,
  aSnapshot,
  aStation,
  doubtful,
  expired,
  recordsOf,
  TODAY,
  trusted,
} from '../../../../test/support/builders/snapshot-builders.ts';
import { aSite, aWholeSite, readPage, SITE_URL } from '../../../../test/support/service/site-builders.ts';
import type { CaptchaKind } from '../../../domain/access/captcha-kind.ts';
import type { PublicReviews } from '../../../domain/review.ts';
import type { ServedStation } from '../../../snapshot/snapshot.ts';

const ID = '0a1b2c3d4e5f';
const PATH = `/statie/petrom-cluj-napoca-${ID}`;
const ENGLISH = `/en/station/petrom-cluj-napoca-${ID}`;

const own = (about: Partial<ServedStation> = {}) => aStation({ id: ID, ...about });

/** A station some hundred metres further north for each number. */
function neighbour(number: number, petrol: number, about: Partial<ServedStation> = {}) {
  const id = String(number).padStart(12, '0');
  return recordsOf(aStation({ id, network: aNetwork('MOL'), lat: 46.75 + number / 100, ...about }), {
    petrol: trusted(petrol),
  });
}

/** JSON-LD blocks of a page. */
const blocksOf = (text: string) =>
  [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map((match) =>
    JSON.parse(match[1] as string),
  );
const mainOf = (text: string) => text.slice(text.indexOf('<main'), text.indexOf('</main>'));

describe('the address of a station', () => {
  it('leads to the current one from any older brand and town, by the id alone', () => {
    for (const [from, to] of [
      [`/statie/rompetrol-alba-${ID}`, PATH],
      [`/statie/${ID}`, PATH],
      [`/en/station/x-${ID}`, ENGLISH],
    ] as const) {
      const { status, headers } = aSite()(from);
      assert.deepEqual([status, headers.Location], [301, to]);
    }
  });

  it('of an unknown station has no page', () => {
    for (const path of ['/statie/petrom-cluj-napoca-ffffffffffff', '/statie/x', '/en/station/petrom'])
      assert.equal(aSite()(path).status, 404, path);
  });
});

describe('the prices of a station', () => {
  const records = [
    ...recordsOf(own(), { petrol: trusted(9_640), diesel: doubtful(9_100, 'stuck', '2026-11-01') }),
    ...neighbour(1, 9_590),
    ...neighbour(2, 9_590),
    ...neighbour(3, 9_700, { lat: 47 }),
  ];
  const snapshot = aSnapshot({ records });

  it('are compared with the town: rank, distance from the lowest, and in words', () => {
    const text = mainOf(readPage(PATH, { snapshot }));
    assert.match(text, /locul 3 din 4 în Cluj-Napoca, cu 5 bani peste cel mai mic/);
    assert.match(text, /<strong>9,64<\/strong><span class="level dear">scump</);
    assert.match(mainOf(readPage(ENGLISH, { snapshot })), /ranked 3 of 4 in Cluj-Napoca, 5 bani above the lowest/);
  });

  it('are called cheap or dear only when two thirds of the others agree', () => {
    const levelAmong = (...others: number[]) => {
      const given = others.flatMap((price, index) => neighbour(index + 1, price));
      const text = readPage(PATH, {
        snapshot: aSnapshot({ records: [...recordsOf(own(), { petrol: trusted(9_600) }), ...given] }),
      });
      return /<span class="level (\w+)">/.exec(text)?.[1] ?? null;
    };
    assert.equal(levelAmong(), null);
    assert.equal(levelAmong(9_700), null);
    assert.equal(levelAmong(9_600, 9_600), 'usual');
    assert.equal(levelAmong(9_600, 9_700, 9_700), 'cheap');
    assert.equal(levelAmong(9_500, 9_700, 9_700), 'cheap');
    assert.equal(levelAmong(9_500, 9_500, 9_700), 'dear');
    assert.equal(levelAmong(9_500, 9_700), 'usual');
  });

  it('that do not count are greyed, with the reason and its day, and are offered to no machine', () => {
    const text = readPage(PATH, { snapshot });
    assert.match(text, /<li class="unranked">.*neschimbat din 1 noiembrie 2026.*<span>9,10<\/span>/);
    assert.match(text, /Nesigur din 1 noiembrie 2026: de atunci nu s-a mișcat/);
    const [station] = blocksOf(text);
    assert.deepEqual(
      station.makesOffer.map(({ price }: { price: number }) => price),
      [9.64],
    );
  });

  it('that were withdrawn say why', () => {
    const withdrawn = recordsOf(own(), {
      petrol: expired('2026-11-18T12:05:00Z'),
      petrol_premium: { kind: 'incoherent' },
      lpg: { kind: 'unknown', reason: 'invalid' },
    });
    const past = aHistory('2026-11-01', { petrol: { '2026-11-17': 9_550, '2026-11-18': 9_570 } });
    const text = readPage(PATH, { snapshot: aSnapshot({ records: withdrawn, histories: { [ID]: past } }) });
    for (const part of [
      /revine la prima citire reușită\. Ultimul preț cunoscut: 9,57 lei, pe 18 noiembrie 2026\./,
      /cu unul valid\. Nici în ultimele 90 de zile nu a avut un preț aici\./,
      /preț expirat: confirmat ultima dată pe 18 noiembrie 2026 la 14:05/,
      /Expirat: .* după 18 noiembrie 2026 la 14:05\. Un preț este retras după 24 de ore/,
      /Retras: /,
      /îl dau fără preț sau cu unul în afara limitelor plauzibile/,
    ])
      assert.match(text, part);
    assert.match(text, /Nicio sursă nu spune că aici se vinde motorină, motorină premium sau AdBlue\./);
    assert.deepEqual(blocksOf(text)[0].makesOffer, []);
  });

  it('name their source, when it observed them, and since when they are unchanged', () => {
    const text = readPage(PATH, { snapshot });
    assert.match(
      text,
      /Monitorul Prețurilor l-a observat pe 19 noiembrie 2026\. Ultima schimbare: 17 noiembrie 2026\./,
    );
    assert.match(text, /Citit ultima dată pe 20 noiembrie 2026 la 09:30\./);
  });

  it('are undercut by the cheapest stations within 5 km only', () => {
    const text = mainOf(readPage(PATH, { snapshot }));
    const nearby = text.slice(text.indexOf('Mai ieftin pe aproape'), text.indexOf('De unde vin'));
    assert.equal([...nearby.matchAll(/<strong>9,59/g)].length, 2);
    assert.match(nearby, /1,1 km<\/span><\/span><span class="price"><strong>9,59<\/strong><span>cu 5 bani mai puțin/);
    assert.doesNotMatch(nearby, /9,70/);
    assert.match(nearby, /class="map-frame"/);
  });

  it('have a chart for each fuel with a history', () => {
    const petrol = { [dayBefore(2)]: 9_600, [dayBefore(1)]: 9_640 };
    const text = readPage(PATH, {
      snapshot: aSnapshot({ records, histories: { [ID]: aHistory('2026-11-01', { petrol }) } }),
    });
    assert.equal([...text.matchAll(/<details class="fold"/g)].length, 1);
    assert.match(text, /<details class="fold" open><summary>Benzină<\/summary>/);
  });
});

const dayBefore = (days: number) => new Date((TODAY - days) * 86_400_000).toISOString().slice(0, 10);

describe('what is known about a station', () => {
  it('is shown: hours, services, phone, who runs it, and the note on its price', () => {
    const about = {
      hours: 'Non-Stop',
      services: ['Magazin', 'Spălătorie'],
      phone: '0264 123 456',
      franchise: true,
      priceNote: 'Vedeți prețul la pompă.',
    };
    const text = readPage(PATH, {
      snapshot: aSnapshot({ records: recordsOf(own(about), { petrol: trusted(9_640) }) }),
    });
    for (const part of [
      'Magazin, Spălătorie',
      '<a href="tel:0264123456">0264\u00a0123\u00a0456</a>',
      'un francizat',
      about.priceNote,
    ])
      assert.ok(text.includes(part), part);
    assert.deepEqual(blocksOf(text)[0].openingHours, ['Mo-Su 00:00-24:00']);
  });

  it('leads there by its coordinates', () => {
    const text = readPage(PATH);
    for (const link of [
      'href="geo:46.75,23.59?q=46.75,23.59(Petrom)"',
      'href="https://www.google.com/maps/dir/?api=1&amp;destination=46.75,23.59" rel="noopener noreferrer"',
      'href="https://waze.com/ul?ll=46.75,23.59&amp;navigate=yes" rel="noopener noreferrer"',
      'href="https://www.openstreetmap.org/?mlat=46.75&amp;mlon=23.59#map=17/46.75/23.59" rel="noopener noreferrer"',
    ])
      assert.ok(text.includes(link), link);
  });

  it('leads there by its address where the coordinates are approximate or doubtful, and says so', () => {
    for (const [about, words] of [
      [{ approximateCoordinates: true }, 'Poziția este aproximativă'],
      [{ suspectCoordinates: true }, 'Poziția este îndoielnică'],
    ] as const) {
      const text = readPage(PATH, {
        snapshot: aSnapshot({ records: recordsOf(own(about), { petrol: trusted(9_640) }) }),
      });
      assert.ok(text.includes(words));
      assert.ok(text.includes('geo:0,0?q=Petrom%2C%20Calea%20Turzii%20178%2C%20Cluj-Napoca'));
      assert.doesNotMatch(mainOf(text), /46\.75/);
      assert.equal(blocksOf(text)[0].geo, undefined);
    }
  });

  it('works without a town, an address or a known county', () => {
    const bare = { city: '', citySlug: '', county: '', countyName: '', address: '' };
    const text = readPage(`/statie/petrom-${ID}`, {
      snapshot: aSnapshot({ records: recordsOf(own(bare), { petrol: trusted(9_640) }) }),
    });
    assert.match(text, /<span>Petrom<\/span><\/h1>/);
    assert.doesNotMatch(text, /undefined|null|NaN/);
  });
});

describe('the title of a station', () => {
  const titleOf = (address: string, path = PATH) => {
    const records = recordsOf(own({ address }), { petrol: trusted(9_590), diesel: trusted(10_480) });
    return /<title>(.*)<\/title>/.exec(readPage(path, { snapshot: aSnapshot({ records }) }))?.[1] ?? '';
  };

  it('has as many prices as there is room for, and is never longer than 66 characters', () => {
    assert.equal(titleOf('Calea Turzii 178'), 'Petrom Calea Turzii 178, Cluj-Napoca: benzină 9,59 lei | Pompa');
    assert.equal(
      titleOf('Strada Foarte Lungă a Memorandumului de la 1892 numărul 7'),
      'Petrom Strada Foarte Lungă a Mem… 7, Cluj-Napoca: benzină 9,59 lei',
    );
    for (let length = 0; length < 90; length += 1)
      for (const path of [PATH, ENGLISH]) assert.ok(titleOf('x'.repeat(length), path).length <= 66);
  });

  it('leaves out the postcode and the town at the end of an address', () => {
    assert.equal(
      titleOf('B-dul Independenței nr. 172, 841561, Cluj-Napoca'),
      'Petrom B-dul Independenței nr. 172, Cluj-Napoca: benzină 9,59 lei',
    );
  });

  it('numbers stations of one name and address, in the description, too', () => {
    const ids = ['0a1b2c3d4e5f', '1a1b2c3d4e5f'];
    const records = ids.flatMap((id) => recordsOf(own({ id, address: 'Calea Turzii' }), { petrol: trusted(9_590) }));
    const pages = ids.map((id) => readPage(`/statie/petrom-cluj-napoca-${id}`, { snapshot: aSnapshot({ records }) }));
    for (const [index, text] of pages.entries()) {
      const number = `(${index + 1})`;
      assert.ok(text.includes(`<title>Petrom Calea Turzii ${number}, Cluj-Napoca: benzină 9,59 lei | Pompa</title>`));
      assert.ok(text.includes(`content="Prețuri azi la Petrom ${number}, Calea Turzii, Cluj-Napoca: `));
    }
  });
});

describe('the reviews on the page of a station', () => {
  const reviews: PublicReviews = {
    count: 21,
    mean: 4.3,
    newest: [
      { id: 2, nickname: 'Ana', rating: 4, comment: '<b>Curat</b>', createdAt: Date.parse('2026-11-19T23:30:00Z') },
      { id: 1, nickname: null, rating: 5, comment: null, createdAt: Date.parse('2026-11-18T10:00:00Z') },
    ],
  };
  const pageWith = async (known: PublicReviews | null, path = PATH, captcha: CaptchaKind = 'altcha') => {
    const asked: string[] = [];
    const reviewsOf = async (slug: string) => {
      asked.push(slug);
      return known;
    };
    const response = await aWholeSite({ reviewsOf, captcha })(path, new URLSearchParams());
    return { ...response, text: response.body.toString(), asked };
  };

  it('show the mean of all, and the newest as text', async () => {
    const { text, asked } = await pageWith(reviews);
    assert.deepEqual(asked, [`petrom-cluj-napoca-${ID}`]);
    assert.match(text, /<strong>4,3<\/strong> din 5 · 21 de recenzii/);
    assert.match(text, /&lt;b&gt;Curat/);
    assert.match(text, /<strong>Anonim<\/strong>/);
    assert.match(text, /datetime="2026-11-20">20 noiembrie 2026</);
    assert.deepEqual(blocksOf(text)[0].aggregateRating, {
      '@type': 'AggregateRating',
      ratingValue: 4.3,
      ratingCount: 21,
      bestRating: 5,
      worstRating: 1,
    });
  });

  it('are within reach from the top, with their mean and the form; without any, the form alone', async () => {
    const headOf = (page: string) => (page.split('<h2>')[0] ?? '').match(/<a href="#[^"]+">.*?<\/a>/g) ?? [];
    const { text } = await pageWith(reviews);
    const [rating = '', form = '', ...others] = headOf(text);
    assert.match(rating, /^<a href="#recenzii">.*<strong>4,3<\/strong> din 5 · 21 de recenzii</);
    assert.equal(form, '<a href="#evaluare">Lăsați o recenzie</a>');
    assert.deepEqual(others, []);
    for (const id of ['recenzii', 'evaluare']) assert.ok(text.includes(` id="${id}"`), id);
    const none = await pageWith({ count: 0, mean: 0, newest: [] }, ENGLISH);
    assert.deepEqual(headOf(none.text), ['<a href="#evaluare">Write a review</a>']);
    assert.deepEqual(headOf((await pageWith(null)).text), []);
  });

  it('have no rating for machines when there are none, and none when they cannot be read', async () => {
    const none = await pageWith({ count: 0, mean: 0, newest: [] });
    assert.match(none.text, /Încă nu există nicio recenzie/);
    assert.equal(blocksOf(none.text)[0].aggregateRating, undefined);
    const away = await pageWith(null);
    assert.equal(away.status, 200);
    assert.match(away.text, /Recenziile nu pot fi citite acum/);
    assert.match(away.text, /<strong>7,45</);
    assert.doesNotMatch(away.text, /<form class="rate"|\/text-form\.ts"/);
  });

  it('are read for every request: the page is not cached', async () => {
    const counts = [1, 2];
    const site = aWholeSite({ reviewsOf: async () => ({ count: counts.shift() ?? 0, mean: 4, newest: [] }) });
    const first = await site(PATH, new URLSearchParams());
    const second = await site(PATH, new URLSearchParams());
    assert.match(first.body.toString(), /1 recenzie/);
    assert.match(second.body.toString(), /2 recenzii/);
    assert.equal(second.singleUse, true);
  });

  it('come with a form that works without code and lets the browser name its page', async () => {
    const { text, headers } = await pageWith(reviews, ENGLISH);
    assert.match(text, /<form class="rate" id="evaluare" method="post" action="\/en\/review">/);
    assert.match(text, new RegExp(`<input type="hidden" name="statie_slug" value="petrom-cluj-napoca-${ID}">`));
    assert.equal([...text.matchAll(/<input type="radio" name="rating" value="[1-5]" required>/g)].length, 5);
    assert.match(text, /<fieldset data-challenge="\/captcha\/provocare" hidden disabled>/);
    assert.equal(headers['Referrer-Policy'], 'same-origin');
    assert.match(headers['Content-Security-Policy'] ?? '', /form-action 'self'.*require-trusted-types-for 'script'/);
  });

  it('take no text without a captcha that this form knows', async () => {
    const { text } = await pageWith(reviews, PATH, 'none');
    assert.doesNotMatch(text, /<textarea|\/text-form\.ts"/);
    assert.match(text, /<form class="rate"/);
  });

  it('open the policy of the page to reCAPTCHA alone, and only where it is the captcha and has a site key', async () => {
    const pageOf = async (captcha: CaptchaKind, captchaSiteKey?: string) => {
      const site = aWholeSite({
        reviewsOf: async () => reviews,
        captcha,
        ...(captchaSiteKey !== undefined && { captchaSiteKey }),
      });
      const { headers, body } = await site(PATH, new URLSearchParams());
      return { policy: headers['Content-Security-Policy'] ?? '', text: body.toString() };
    };
    const google = await pageOf('recaptcha', '6Le&key');
    for (const part of [
      "script-src 'self' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/;",
      "connect-src 'self' https://www.google.com/recaptcha/;",
      'frame-src https://www.google.com/recaptcha/;',
    ])
      assert.ok(google.policy.includes(part), google.policy);
    assert.match(google.text, /<fieldset data-site-key="6Le&amp;key" hidden disabled>/);
    assert.match(google.text, /protejate de Google reCAPTCHA/);
    assert.doesNotMatch(google.text, /<script[^>]*google/, 'nothing is loaded with the page');
    for (const [captcha, siteKey] of [
      ['altcha', undefined],
      ['altcha', '6Le'],
      ['none', '6Le'],
      ['recaptcha', undefined],
    ] as const) {
      const { policy, text } = await pageOf(captcha, siteKey);
      assert.doesNotMatch(policy, /https:|frame-src/);
      assert.match(policy, /require-trusted-types-for 'script'/);
      assert.equal(text.includes('<textarea'), captcha === 'altcha');
      assert.doesNotMatch(text, /data-site-key|recaptcha\/api/);
    }
    const other = aWholeSite({ reviewsOf: async () => reviews, captcha: 'recaptcha', captchaSiteKey: '6Le' });
    for (const path of ['/', '/harta', '/preturi-carburanti/cluj-napoca']) {
      const { headers } = await other(path, new URLSearchParams());
      assert.doesNotMatch(headers['Content-Security-Policy'] ?? '', /google/, path);
    }
  });

  it('do not exist on a site without them', () => {
    assert.doesNotMatch(readPage(PATH), /Recenzii|<form class="rate"/);
    assert.equal(aWholeSite().reviewOutcome, undefined);
  });
});

describe('the page after a review', () => {
  const { reviewOutcome } = aWholeSite({ reviewsOf: async () => null });
  assert.ok(reviewOutcome);

  it('tells the outcome in words, with its status, and is never stored', () => {
    for (const [outcome, status, words] of [
      ['published', 200, /Nota a fost publicată/],
      ['awaits approval', 200, /după ce o citește un moderator/],
      ['limited', 429, /cel mult 3 pe zi/],
      ['no captcha', 403, /nu sunteți un robot/],
      ['other site', 403, /de pe alt site/],
      ['malformed', 400, /Lipsește nota/],
      ['unavailable', 503, /nu sunt disponibile/],
    ] as const) {
      const page = reviewOutcome({ outcome, language: 'ro', slug: `x-${ID}` });
      assert.deepEqual([page.status, page.headers['Cache-Control']], [status, 'no-store']);
      assert.match(page.body.toString(), words);
      assert.ok(page.body.toString().includes(`<a href="${PATH}#recenzii">`));
    }
  });

  it('leads home if the station is unknown, and never repeats what was sent', () => {
    const page = reviewOutcome({ outcome: 'malformed', language: 'en', slug: '<b x=1>' }).body.toString();
    assert.match(page, /<a href="\/en">Prices of the whole country<\/a>/);
    assert.doesNotMatch(page, /<b x/);
    assert.match(page, new RegExp(`<link rel="canonical" href="${SITE_URL}/en">`));
  });
});
