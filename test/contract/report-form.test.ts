/** The form of a station's page by which drivers report a wrong price: it answers with a page. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { DriverReportService } from '../../src/api/endpoints/driver-report-submission.ts';
import type { SubmissionsComponent } from '../../src/app/create-submissions.ts';
import { createJourneyPlanner } from '../../src/app/routing-service.ts';
import { FUELS } from '../../src/domain/fuel.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { solve } from '../../src/site/browser/proof-of-work.ts';
import { createSite } from '../../src/site/pages/site.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { decideReport, openReports } from '../../src/store/driver-reports/driver-report-moderation.ts';
import type { NewDriverReport } from '../../src/store/driver-reports/submit-driver-reports.ts';
import { newAddress } from '../support/builders/client-addresses.ts';
import { NO_REPORTS } from '../support/service/fake-reviews.ts';
import { API_DESCRIPTION } from '../support/service/real-api-description.ts';
import { ReviewServices } from '../support/service/review-services.ts';
import { type Reply, TestService } from '../support/service/test-service.ts';
import { TURZII, world } from '../support/worlds/contract-world.ts';

function siteWith({ reports }: Pick<SubmissionsComponent, 'reports'>, served: Snapshot) {
  return createSite({
    publicUrl: () => 'https://pompa.example',
    simulated: false,
    snapshot: () => served,
    gazetteer: loadGazetteer(),
    journeys: createJourneyPlanner(loadGazetteer()),
    reportsOf: (station) => reports.readAccepted(station),
    api: () => API_DESCRIPTION,
  });
}

type Sent = {
  slug: string;
  fields?: Record<string, string> | string;
  headers?: Record<string, string>;
  english?: boolean;
};

function post(service: TestService, { slug, fields = {}, headers = {}, english = false }: Sent): Promise<Reply> {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  return service.ask(english ? `/en/station/${slug}/report` : `/statie/${slug}/semnalare`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body,
  });
}

describe('a report posted to a service with a database', () => {
  let reviewing: ReviewServices;
  let service: TestService;
  before(async () => {
    reviewing = await ReviewServices.start({ count: 2, captcha: 'altcha', siteOf: siteWith });
    service = reviewing.service;
  });
  after(() => reviewing.close());

  const fields = { kind: 'price', fuel: 'petrol 7450', price: '7,59' };
  const reportsOf = async (slug: string) =>
    (await openReports(reviewing.database.kysely)).filter((report) => report.slug === slug);

  test('changes nothing on the page until it is accepted, and never the price', async () => {
    const slug = reviewing.newStation();
    const { status, headers, text } = await post(service, { slug, fields });
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store']);
    assert.match(text, /Mulțumim pentru semnalare/);
    assert.ok(text.includes(`<a href="/statie/${slug}#semnalare">`));
    const [report] = await reportsOf(slug);
    assert.deepEqual(
      [report?.kind, report?.fuel, report?.shownPrice, report?.seenPrice, report?.comment],
      ['price', 'petrol', 7_450, 7_590, null],
    );
    const page = async () => (await service.ask(`/statie/${slug}`)).text;
    assert.doesNotMatch(await page(), /Semnalat de șoferi/);
    await decideReport(reviewing.database.kysely, report?.id as number, 'accepted');
    const shown = await page();
    assert.match(shown, /Semnalat de șoferi.*Benzină: 7,59 lei la pompă, nu 7,45, verificat pe <time/s);
    assert.match(shown, /<strong>7,45<\/strong>/);
    assert.match(
      (await service.ask(`/en/station/${slug}`)).text,
      /Petrol: 7\.59 lei at the pump, not 7\.45, checked on/,
    );
    await decideReport(reviewing.database.kysely, report?.id as number, 'rejected');
    assert.doesNotMatch(await page(), /Semnalat de șoferi/);
  });

  test('is received once a week from an address about a fuel of a station, over all processes', async () => {
    const slug = reviewing.newStation();
    const headers = { 'X-Forwarded-For': newAddress() };
    const both = await Promise.all(reviewing.services.map((each) => post(each, { slug, fields, headers })));
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 429]);
    const again = await post(service, { slug, fields, headers });
    assert.ok(Number(again.headers['retry-after']) > 6 * 86_400);
    assert.match(again.text, /o singură semnalare pe săptămână/);
    assert.equal((await post(service, { slug, fields: { kind: 'closed' }, headers })).status, 200);
    assert.equal((await post(service, { slug, fields })).status, 200, 'from another address');
    assert.equal((await reportsOf(slug)).length, 3);
  });

  test('about ten stations a day is accepted from an address, and about one from a network ten times', async () => {
    const headers = { 'X-Forwarded-For': newAddress() };
    for (let sent = 0; sent < 10; sent += 1)
      assert.equal((await post(service, { slug: reviewing.newStation(), fields, headers })).status, 200);
    assert.equal((await post(service, { slug: reviewing.newStation(), fields, headers })).status, 429);
    const slug = reviewing.newStation();
    const fromSite = (n: number) =>
      post(service, { slug, fields, headers: { 'X-Forwarded-For': `2001:db8:7:${n}::1` } });
    for (let sent = 0; sent < 10; sent += 1) assert.equal((await fromSite(sent)).status, 200);
    assert.equal((await fromSite(10)).status, 429);
    assert.equal((await post(service, { slug, fields })).status, 200, 'from another network');
  });

  test('with a text needs a captcha, and keeps no hidden character of it', async () => {
    const slug = reviewing.newStation();
    const text = 'Panoul \u202earată\u200b 7,59.\r\nSigur.';
    const bad = await post(service, { slug, fields: { ...fields, text } });
    assert.equal(bad.status, 403);
    assert.match(bad.text, /fără text/);
    const token = await solve((await service.ask('/captcha/provocare')).json);
    const good = { ...fields, text, recaptcha_token: token };
    assert.equal((await post(service, { slug, fields: good, english: true })).status, 200);
    assert.deepEqual(
      (await reportsOf(slug)).map(({ comment }) => comment),
      ['Panoul arată 7,59. Sigur.'],
    );
    const used = await post(service, { slug: reviewing.newStation(), fields: good });
    assert.equal(used.status, 403, 'a token is valid once');
  });
});

describe('a posted report', () => {
  const slug = `petrom-cluj-napoca-${TURZII}`;
  const snapshot = world();
  const verdict = snapshot.records.find(({ station, fuel }) => station.id === TURZII && fuel === 'petrol')?.verdict;
  const shown = verdict?.kind === 'trusted' ? verdict.price : 0;
  const missing = FUELS.find((each) => !snapshot.records.some((own) => own.station.id === TURZII && own.fuel === each));
  const good = { kind: 'price', fuel: `petrol ${shown}` };
  const submitted: NewDriverReport[] = [];
  const reports: DriverReportService = {
    ...NO_REPORTS,
    submit: async (report) => {
      submitted.push(report);
      return { kind: 'added', answer: {} };
    },
  };
  let service: TestService;
  before(async () => {
    service = await TestService.start({ snapshot, reports, site: siteWith({ reports }, snapshot) });
  });
  after(() => service.api.close());

  test('names what the page showed: the price, the publication and its time', async () => {
    const before = submitted.length;
    assert.equal((await post(service, { slug, fields: { ...good, price: '9.99 lei' } })).status, 200);
    assert.deepEqual(submitted.slice(before), [
      {
        ...{ station: TURZII, slug, kind: 'price', fuel: 'petrol', shownPrice: shown, seenPrice: 9_990, comment: null },
        ...{ version: snapshot.version, shownAt: snapshot.updatedAt },
      },
    ]);
  });

  test('about a closed station names no fuel, and one about a missing fuel no price', async () => {
    const before = submitted.length;
    for (const kind of ['closed', 'no_fuel'])
      assert.equal((await post(service, { slug, fields: { ...good, kind, price: '0' } })).status, 200);
    assert.deepEqual(
      submitted.slice(before).map(({ kind, fuel, shownPrice, seenPrice }) => [kind, fuel, shownPrice, seenPrice]),
      [
        ['closed', null, null, null],
        ['no_fuel', 'petrol', shown, null],
      ],
    );
  });

  test('that cannot be accepted is answered with the reason, in the language of the page', async () => {
    const before = submitted.length;
    for (const [fields, status, ro, en] of [
      [{ ...good, price: '0' }, 400, /între 5,50 și 12,00/, /between 5\.50 and 12\.00/],
      [{ ...good, price: '99' }, 400, /Prețul nu este valid/, /The price is not valid/],
      [{ ...good, price: 'mult' }, 400, /Prețul nu este valid/, /The price is not valid/],
      [{ ...good, price: String(shown / 1000) }, 400, /chiar cel de pe pagină/, /the one on the page/],
      [{ ...good, fuel: `petrol ${shown + 10}` }, 409, /s-a schimbat între timp/, /has changed meanwhile/],
      [{ ...good, fuel: 'petrol' }, 409, /s-a schimbat între timp/, /has changed meanwhile/],
      [{ ...good, fuel: `${missing} 5000` }, 400, /nu mai arată carburantul/, /no longer shows this fuel/],
      [{ ...good, fuel: 'apa' }, 400, /la care carburant/, /with which fuel/],
      [{ ...good, kind: 'x' }, 400, /la care carburant/, /with which fuel/],
      ['kind=price&kind=closed', 400, /la care carburant/, /with which fuel/],
      ['kind=closed&text=%ff', 400, /la care carburant/, /with which fuel/],
      ['', 400, /la care carburant/, /with which fuel/],
      [{ ...good, text: 'x'.repeat(301) }, 400, /cel mult 300 de caractere/, /at most 300 characters/],
      [{ ...good, text: 'x'.repeat(10_000) }, 400, /cel mult 300 de caractere/, /at most 300 characters/],
      [{ ...good, text: 'x'.repeat(20_000) }, 400, /cel mult 300 de caractere/, /at most 300 characters/],
    ] as const) {
      for (const [english, words] of [
        [false, ro],
        [true, en],
      ] as const) {
        const answer = await post(service, { slug, fields, english });
        const sent = JSON.stringify(fields).slice(0, 80);
        assert.equal(answer.status, status, sent);
        assert.match(answer.text, words, sent);
        assert.ok(answer.text.includes(`#semnalare">`), 'leads back');
      }
    }
    const nowhere = await post(service, { slug: 'petrom-cluj-napoca-ffffffffffff', fields: good });
    assert.equal(nowhere.status, 404);
    assert.match(nowhere.text, /Stația aceasta nu există/);
    assert.equal(submitted.length, before);
  });

  test('of another site, or in another encoding, is refused', async () => {
    const before = submitted.length;
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
    ] as Record<string, string>[]) {
      const { status, text } = await post(service, { slug, fields: good, headers });
      assert.equal(status, 403);
      assert.match(text, /de pe alt site/);
    }
    const json = await post(service, { slug, fields: '{}', headers: { 'Content-Type': 'application/json' } });
    assert.equal(json.status, 400);
    assert.equal(submitted.length, before);
    assert.equal(
      (await post(service, { slug, fields: good, headers: { 'Sec-Fetch-Site': 'same-origin' } })).status,
      200,
    );
  });

  test('is told in words that the database does not answer; the page then takes none', async (t) => {
    const site = siteWith({ reports: NO_REPORTS }, snapshot);
    const away = await TestService.during(t, { snapshot, reports: NO_REPORTS, site });
    const { status, text } = await post(away, { slug, fields: good, english: true });
    assert.equal(status, 503);
    assert.match(text, /could not be saved/);
    const page = await away.ask(`/statie/${slug}`);
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /semnalare/);
  });

  test('is not accepted by GET, nor on a site that takes none', async (t) => {
    assert.equal((await service.ask(`/statie/${slug}/semnalare`)).status, 404);
    const plain = await TestService.during(t, { snapshot });
    assert.equal((await post(plain, { slug, fields: good })).status, 404);
  });
});
