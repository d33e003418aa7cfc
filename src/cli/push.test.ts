import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { AT_ANY_HOUR, alertAll, subscribe, truncatePush } from '../../test/support/database/stored-push.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database/test-database.ts';
import { assertRefused, runCommand } from '../../test/support/run-command.ts';
import { type Command, CommandError, UsageError } from '../app/command.ts';
import { makeVapidPair } from '../clients/web-push.ts';
import { readConfig } from '../config/config.ts';
import { bucharestDay, dayNumber, dayText } from '../domain/days.ts';
import { startSimulatedPushService } from '../simulation/push-service.ts';
import { recordDelivered } from '../store/alerts/outbox.ts';
import { alertsCommand } from './alerts.ts';
import { workerCommand } from './processes/worker.ts';
import { pushCommand } from './push.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(() => truncatePush(database));

const call = async (command: Command, line: string, settings: Record<string, string> = {}): Promise<string[]> =>
  (await runCommand(command, line, { DATABASE_URL: database.url, ...settings })).out;

const refused = (command: Command, line: string, kind: typeof CommandError | typeof UsageError, message: RegExp) =>
  assertRefused(call(command, line), kind, message);

describe('pompa push', () => {
  test('keys generates another pair each time, which the settings accept', async () => {
    const [one = '', two = ''] = [
      ...(await call(pushCommand, 'keys --json')),
      ...(await call(pushCommand, 'keys --json')),
    ];
    assert.notEqual(one, two);
    const settings = { ...(JSON.parse(one) as Record<string, string>), VAPID_SUBJECT: 'mailto:ops@example.org' };
    assert.equal(readConfig(settings, import.meta.dirname).vapid?.subject, 'mailto:ops@example.org');
    const lines = (await call(pushCommand, 'keys')).map((line) => line.split('=')[0]);
    assert.deepEqual(lines, ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY']);
  });

  test('list shows the host of the push service, and never the endpoint', async () => {
    assert.deepEqual(await call(pushCommand, 'list'), ['no subscription yet']);
    const endpoint = 'https://fcm.googleapis.com/fcm/send/very-secret';
    const id = await subscribe(database, { endpoint, city: 'targu-mures', fuel: 'lpg' });
    const other = await subscribe(database);
    await alertAll(database, Date.now());
    await recordDelivered(database.kysely, [{ alert: 1, subscription: other }], Date.parse('2026-11-20T08:00Z'));
    const listed = await call(pushCommand, 'list --json');
    const [first, second] = listed.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(Object.keys(first ?? {}), ['id', 'host', 'city', 'fuel', 'created', 'last_alert']);
    assert.deepEqual(
      [first?.id, first?.host, first?.city, first?.fuel],
      [id, 'fcm.googleapis.com', 'Targu Mures', 'gpl'],
    );
    assert.deepEqual([second?.city, second?.fuel, second?.last_alert], [null, null, '2026-11-20T08:00:00+00:00']);
    assert.doesNotMatch([...listed, ...(await call(pushCommand, 'list'))].join(), /very-secret/);
  });

  test('delete removes a subscription, and fails for an unknown one', async () => {
    const id = await subscribe(database);
    await alertAll(database, Date.now());
    assert.deepEqual(await call(pushCommand, `delete ${id} --json`), [JSON.stringify({ id, deleted: true })]);
    const { rows } = await database.pool.query('select from alert_deliveries');
    assert.equal(rows.length, 0);
    await refused(pushCommand, `delete ${id}`, CommandError, /^there is no subscription \d+; push list shows/);
    await refused(pushCommand, 'delete 99999999999', CommandError, /^there is no subscription/);
    await refused(
      pushCommand,
      'delete https://fcm.googleapis.com/x',
      UsageError,
      /^ID must be the number of a subscription, as/,
    );
  });
});

describe('pompa worker --once', () => {
  test('sends what is in the outbox, encrypted for the browser that subscribed', async (t) => {
    const received: string[] = [];
    const service = await startSimulatedPushService(({ text }) => received.push(text));
    t.after(() => service.close());
    const { endpoint, p256dh, auth } = service.subscribe('ana');
    const keys = { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') };
    await subscribe(database, { endpoint, ...keys });
    await alertAll(database, Date.now(), { details: AT_ANY_HOUR });
    const { publicKey, privateKey } = makeVapidPair();
    const vapid = {
      VAPID_PUBLIC_KEY: publicKey,
      VAPID_PRIVATE_KEY: privateKey,
      VAPID_SUBJECT: 'mailto:ops@example.org',
    };
    await call(workerCommand, '--once', { ...vapid, PUSH_HOSTS: service.origin });
    await call(workerCommand, '--once', { ...vapid, PUSH_HOSTS: service.origin });
    assert.equal(received.length, 1);
    const { title, body, pret } = JSON.parse(received[0] as string) as Record<string, unknown>;
    assert.equal(title, '[SIMULAT] Benzină standard: 7,19 lei/l în România');
    assert.equal(body, 'Prețul minim este cu 0,16 lei sub cel din 19.11.2026: Petrom, Calea Turzii 178, Cluj-Napoca.');
    assert.equal(pret, 7.19);
  });
});

describe('pompa alerts simulate', () => {
  test('shows what would have been sent on the stored days, and why', async () => {
    const today = dayNumber(bucharestDay(Date.now()));
    const station = createHash('sha256').update('s').digest('hex').slice(0, 12);
    await database.pool.query('insert into stations (id, created_at) values ($1, now())', [station]);
    await database.pool.query(
      `insert into station_aliases (source, key, station_id, network, brand, name, address, lat, lng, locality, services, first_at, seen_at)
       values ('manual', 'k', $1, 'petrom', 'Petrom', 'P', 'Strada 1', 46.77, 23.6, 'cluj-napoca', '{}', now(), now())`,
      [station],
    );
    await database.pool.query(
      `insert into price_facts (station_id, fuel, source, unit, price, since_day, changed, seen_at) values ($1, 0, 'manual', 'manual', 7600, $2, true, now())`,
      [station, dayText(today)],
    );
    for (let ago = 1; ago <= 20; ago += 1) {
      const price = ago > 5 ? 7_500 : 7_300;
      const values = [dayText(today - ago), station, price];
      await database.pool.query(
        'insert into daily_prices (day, station_id, petrol, facts) values ($1, $2, $3, 0)',
        values,
      );
    }
    const alerts = (await call(alertsCommand, 'simulate Cluj-Napoca benzina --days 10 --json')).map((line) =>
      JSON.parse(line),
    );
    assert.deepEqual(Object.keys(alerts[0]), [
      ...['day', 'at', 'sent', 'why', 'rule', 'city', 'fuel', 'price', 'change', 'station', 'title', 'body'],
    ]);
    const { day, sent, why, rule, city, fuel, price, change } = alerts[0];
    assert.deepEqual([day, sent, why, rule], [dayText(today - 5), true, 'told', 'lowest']);
    assert.deepEqual([city, fuel, price, change], ['Cluj-Napoca', 'benzina_standard', 7.3, 0.2]);
    assert.equal(alerts[0].title, 'Benzină standard: 7,30 lei/l în Cluj-Napoca');
    assert.match(
      alerts[0].body,
      /^Cel mai mic preț din ultimele 30 de zile, cu 0,20 lei sub minimul de până acum: Petrom, Strada 1/,
    );
    assert.equal(
      (await call(alertsCommand, 'simulate romania benzina_standard --days 10 --json')).length,
      alerts.length,
    );
    const lines = await call(alertsCommand, 'simulate Cluj-Napoca benzina --days 21');
    const verdictOn = (ago: number) => lines.find((line) => line.startsWith(dayText(today - ago)))?.slice(11);
    assert.equal(verdictOn(20), 'no alert (nothing to compare with)');
    assert.equal(verdictOn(6), 'no alert (no drop)');
    assert.match(verdictOn(5) ?? '', /^sent: Benzină standard: 7,30/);
    assert.equal(lines.length, 20, 'one for each stored day');
    assert.deepEqual(await call(alertsCommand, 'simulate "Târgu Mureș" gpl --days 90'), ['no alerts in 90 days']);
  });

  test('refuses an unknown place, an unknown fuel and an invalid number of days', async () => {
    await refused(
      alertsCommand,
      'simulate Atlantida gpl',
      UsageError,
      /^CITY must be a place, or "romania"; "Atlantida"/,
    );
    await refused(alertsCommand, 'simulate Iasi adblue', UsageError, /^FUEL must be one of benzina_standard/);
    await refused(
      alertsCommand,
      'simulate Iasi gpl --days 91',
      UsageError,
      /^--days must be a whole number from 1 to 90/,
    );
    await refused(alertsCommand, 'simulate Iasi', UsageError, /^usage: pompa alerts simulate CITY FUEL/);
  });
});
