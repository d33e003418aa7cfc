/** Checks the server that this one follows: by what it announces. */
import { collectionSettingsOf, userAgentOf } from '../../app/settings/derived-settings.ts';
import { createPublicationClient, NoPublication } from '../../clients/publication-client.ts';
import type { Config } from '../../config/config.ts';
import { MAX_PRICE_AGE_MS } from '../../domain/prices/price-verdict.ts';
import {
  isLaterPublication,
  MAX_CHAINED_SERVERS,
  type PublicationAnnouncement,
  type PublicationPlace,
  settingsDigest,
} from '../../domain/prices/publication-announcement.ts';
import { messageOf } from '../../store/database-errors.ts';
import { lastGoodPlace } from '../../store/prices/last-good.ts';
import { MAX_PART_BYTES } from '../../worker/serving/publication-parts.ts';
import { readAnnouncement } from '../../worker/serving/read-announcement.ts';
import { durationText, type Finding, fail, pass } from '../reports/finding.ts';

const CHECK = 'followed server';
const TIMEOUT_MS = 5_000;

/** Asks the followed server once. Never rejects. */
export async function followFindings(config: Config, now: number): Promise<Finding[]> {
  const { FOLLOW_URL: url, FOLLOW_TOKEN: token } = config;
  if (url === null || token === null) return [pass(CHECK, 'none: the database is followed')];
  const { host } = new URL(url);
  const client = createPublicationClient(
    { url, token, userAgent: userAgentOf(config), maxPartBytes: MAX_PART_BYTES },
    TIMEOUT_MS,
  );
  try {
    const body = await client.announcement(null, 0, AbortSignal.timeout(TIMEOUT_MS));
    const announcement = readAnnouncement(body as Buffer);
    if ('wrong' in announcement)
      return [
        fail(CHECK, `${host}: ${announcement.wrong}`, 'check FOLLOW_URL, and run the same version of Pompa on both'),
      ];
    const held = await lastGoodPlace(config.DATA_DIR);
    return [judged(announcement, held, { host, now, settings: settingsDigest(collectionSettingsOf(config)) })];
  } catch (error) {
    const advice =
      error instanceof NoPublication
        ? error.advice
        : 'check that serve runs there, that it can be reached from here, and FOLLOW_URL';
    return [fail(CHECK, `${host}: ${messageOf(error)}`, advice)];
  } finally {
    await client.close();
  }
}

function judged(
  announcement: PublicationAnnouncement,
  held: PublicationPlace | null,
  { host, now, settings }: { readonly host: string; readonly now: number; readonly settings: string },
): Finding {
  const { version, publishedAt, servers, isFromDatabase, isLoop } = announcement;
  const wrong = (what: string, advice: string) => fail(CHECK, `${host} ${what}`, advice);
  if (isLoop || servers.length >= MAX_CHAINED_SERVERS)
    return wrong(
      isLoop
        ? 'follows itself, by way of servers that follow each other in a loop'
        : `is the ${servers.length}th in a chain of servers that follow each other`,
      'set FOLLOW_URL of one of them to a server that reads the database',
    );
  if (version === 0) return wrong('has no publication yet', 'wait for its first collection, or run doctor there');
  if (held !== null && isLaterPublication(held, announcement))
    return wrong(
      `relays publication ${version}, and a later one, ${held.version}, is in DATA_DIR here`,
      'follow a server of the same database; if this one is right, stop serve and delete last-good.snapshot in DATA_DIR',
    );
  if (!isFromDatabase)
    return wrong(
      `relays publication ${version} from its disk: since its start no database was reached`,
      'run doctor there, and on the server that it follows',
    );
  if (announcement.settings !== settings)
    return wrong('judges prices by other SOURCES or PRICE_RANGES than are set here', 'set both as they are set there');
  if (publishedAt !== null && now - publishedAt > MAX_PRICE_AGE_MS)
    return wrong(
      `relays publication ${version}, published ${durationText(now - publishedAt)} ago: its prices have expired`,
      'run doctor there, and on the server that reads the database: nothing is collected, or a server in between is cut off',
    );
  const age = publishedAt === null ? 'never' : `${durationText(Math.max(0, now - publishedAt))} ago`;
  return pass(CHECK, `${host} relays publication ${version}, published ${age}, by way of ${servers.length} servers`);
}
