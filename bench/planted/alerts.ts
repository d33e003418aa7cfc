/** Faults in price alerts: when they fire, whom they reach, and how they are sent. */
import type { Fault } from './fault.ts';

const ALERT = 'src/domain/alert.ts';
const HOST = 'src/domain/push-host.ts';
const JUDGING = 'src/worker/alerts.ts';
const DELIVER = 'src/worker/deliver.ts';
const STORE = 'src/store/push/alerts.ts';
const OUTBOX = 'src/store/push/outbox.ts';
const SUBSCRIPTIONS = 'src/store/push/subscriptions.ts';
const SENDER = 'src/outside/web-push.ts';
const RULES = ['src/domain/alert.test.ts'];
const JUDGED = ['src/worker/alerts.test.ts'];
const DELIVERED = ['src/worker/deliver.test.ts'];
const SENT = ['src/outside/web-push.test.ts'];
const SUBSCRIBED = ['test/contract/push.test.ts'];

export const ALERT_FAULTS: readonly Fault[] = [
  {
    name: 'night-begins-at-23',
    harm: 'people are told of prices until eleven at night',
    file: ALERT,
    from: 'hour >= NIGHT.from ||',
    to: 'hour > NIGHT.from ||',
    tests: RULES,
  },
  {
    name: 'night-in-utc',
    harm: 'the night ends at nine or ten, and begins at midnight or later',
    file: ALERT,
    from: 'const hour = bucharestHour(at);',
    to: 'const hour = new Date(at).getUTCHours();',
    tests: RULES,
  },
  {
    name: 'lowest-needs-more-than-5-bani',
    harm: 'a new lowest price by exactly 0.05 is not told',
    file: ALERT,
    from: 'change >= LOWEST.below',
    to: 'change > LOWEST.below',
    tests: RULES,
  },
  {
    name: 'lowest-of-six-days',
    harm: 'a place that is known for six days has the lowest price of 30',
    file: ALERT,
    from: 'known.length >= LOWEST.known',
    to: 'known.length >= LOWEST.known - 1',
    tests: RULES,
  },
  {
    name: 'third-alert-of-a-day',
    harm: 'people are told three times a day of the same fuel',
    file: ALERT,
    from: 'toldToday.length >= MOST_A_DAY',
    to: 'toldToday.length > MOST_A_DAY',
    tests: RULES,
  },
  {
    name: 'alert-of-another-source',
    harm: 'another source that speaks for a station is a drop of its price',
    file: ALERT,
    from: 'return a.source === b.source ||',
    to: 'return a.source !== undefined ||',
    tests: RULES,
  },
  {
    name: 'alert-of-a-newcomer',
    harm: 'a cheap station that comes back is a drop of the price of its city',
    file: ALERT,
    from: 'comparable(price, previous.prices.get(station))',
    to: 'comparable(price, price) && station !== undefined',
    tests: RULES,
  },
  {
    name: 'alert-judged-again',
    harm: 'yesterday’s publication is judged at every look, and told in the morning',
    file: STORE,
    from: "await tx.updateTable('alert_state').set({ version }).execute();",
    to: '',
    tests: JUDGED,
  },
  {
    name: 'morning-alert-waits-again',
    harm: 'what waited for the morning is told anew every day',
    file: STORE,
    from: "await tx.deleteFrom('alerts_waiting').execute();",
    to: '',
    tests: JUDGED,
  },
  {
    name: 'alert-of-a-doubtful-price',
    harm: 'people drive to a price that the service itself doubts',
    file: JUDGING,
    from: "verdict.kind !== 'relied'",
    to: "!('price' in verdict)",
    tests: JUDGED,
  },
  {
    name: 'alert-of-every-city',
    harm: 'who asked for the country is told of every city',
    file: STORE,
    from: `where city is not distinct from \${alert.city}`,
    to: `where (city is null or city is not distinct from \${alert.city})`,
    tests: JUDGED,
  },
  {
    name: 'alert-of-every-fuel',
    harm: 'who named no fuel is told of LPG as soon as somebody else asks for it',
    file: STORE,
    from: `fuel is null and \${fuel} = any (\${STANDARD}::int[])`,
    to: `fuel is null and \${fuel} = any (\${STANDARD}::int[] || \${fuel}::int)`,
    tests: JUDGED,
  },
  {
    name: 'sent-at-night',
    harm: 'a further try wakes people at three in the morning',
    file: DELIVER,
    from: 'if (isNight(now) &&',
    to: 'if (now < 0 &&',
    tests: DELIVERED,
  },
  {
    name: 'endpoint-in-the-log',
    harm: 'whoever reads the log can send messages to people',
    file: DELIVER,
    from: `to subscription \${delivery.subscription}`,
    to: `to \${delivery.endpoint}`,
    tests: DELIVERED,
  },
  {
    name: 'push-rest-ignored',
    harm: 'a push service that asks for ten minutes is asked again after one, and blocks us',
    file: DELIVER,
    from: 'Math.max(growing, restMs ?? 0)',
    to: 'growing',
    tests: DELIVERED,
  },
  {
    name: 'gone-browser-kept',
    harm: 'browsers that are gone are sent to for ever',
    file: OUTBOX,
    from: "if (outcome === 'gone')",
    to: "if (outcome === 'expired')",
    tests: DELIVERED,
  },
  {
    name: 'push-lanes-mixed',
    harm: 'a slow push service holds up the messages of all others',
    file: OUTBOX,
    from: ".where('d.origin', '=', origin)",
    to: '',
    tests: DELIVERED,
  },
  {
    name: 'gone-by-404-unnoticed',
    harm: 'a push service that says 404 is sent to until it blocks us',
    file: SENDER,
    from: 'status === 404 || status === 410',
    to: 'status === 410',
    tests: SENT,
  },
  {
    name: 'push-into-the-own-network',
    harm: 'a name on a push host that comes to mean 127.0.0.1 reaches what stands behind the firewall',
    file: SENDER,
    from: ', lookup: publicLookup',
    to: '',
    tests: SENT,
  },
  {
    name: 'push-to-any-host',
    harm: 'whoever subscribes has the service send requests wherever he likes',
    file: HOST,
    from: 'allowed.some((entry) => covers(entry, url.hostname))',
    to: 'allowed.length > 0',
    tests: SUBSCRIBED,
  },
  {
    name: 'push-host-by-its-end',
    harm: 'evilfcm.googleapis.com is a push service',
    file: HOST,
    from: ': host === entry',
    to: ': host.endsWith(entry)',
    tests: SUBSCRIBED,
  },
  {
    name: 'twenty-one-of-an-address',
    harm: 'an address has one subscription more than it may',
    file: SUBSCRIPTIONS,
    from: '[client, MOST_OF_A_CLIENT]',
    to: '[client, MOST_OF_A_CLIENT + 1]',
    tests: SUBSCRIBED,
  },
  {
    name: 'subscriptions-of-an-address-race',
    harm: 'who subscribes fifty browsers at once has fifty',
    file: SUBSCRIPTIONS,
    from: 'select pg_advisory_xact_lock($1, hashtext($2))',
    to: 'select $1::int, hashtext($2)',
    tests: SUBSCRIBED,
  },
];
