/** Follows the publications of another server over HTTP: no database is needed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PublicationClient } from '../../clients/publication-client.ts';
import { WarnOnce } from '../../concurrency/warn-once.ts';
import {
  type AnnouncedPart,
  isLaterPublication,
  type PartName,
  type PublicationAnnouncement,
  type PublicationPlace,
} from '../../domain/prices/publication-announcement.ts';
import type { StatisticsHistory } from '../../snapshot/statistics-history.ts';
import { messageOf } from '../../store/database-errors.ts';
import { digestOf, type PackedPart, type PartContent, unpackPart } from './publication-parts.ts';
import type { PublicationRelay } from './publication-relay.ts';
import { readAnnouncement } from './read-announcement.ts';
import type { LoadedState } from './read-changes.ts';

export type FollowedServerOptions = {
  readonly client: PublicationClient;
  /** What this process serves now. */
  readonly held: () => LoadedState;
  /** Serves a publication; resolves once it does. */
  readonly take: (state: LoadedState) => Promise<void>;
  /** Forwards it to the followers of this process. */
  readonly relay: PublicationRelay;
  /** The digest of the settings by which this process judges. */
  readonly settings: string;
  readonly clock: () => number;
  readonly log: { info(message: string): void; warn(message: string): void };
};

/** How long the followed server holds a question before it answers that nothing is new. */
export const LONG_POLL_MS = 25_000;
/** Between two questions of which the first one brought news. */
const MIN_PAUSE_MS = 100;
/** Between two questions that were answered at once without news, and after the first failure. */
const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 15_000;
/** Whatever is published after a publication of a later time would be older than that one, and never taken. */
const MAX_AHEAD_MS = 600_000;

/** The server that finds it tells those that follow it. */
const LOOP_ELSEWHERE =
  'the server at FOLLOW_URL follows itself, by way of servers that follow each other in a loop: set FOLLOW_URL of one of them to a server that reads the database';

class LoopFound extends Error {}

type ReceivedPart = { readonly packed: PackedPart; readonly content: PartContent[PartName] };

type FollowedState = 'connecting' | 'ready' | 'unavailable';

export class FollowedServer {
  readonly #options: FollowedServerOptions;
  readonly #stop = new AbortController();
  readonly #outage: WarnOnce;
  /** Reported beside an outage, which it may follow. */
  readonly #loop: WarnOnce;
  readonly #otherSettings: WarnOnce;
  readonly #running: Promise<void>;
  /** Of the publication taken last. */
  #parts = new Map<PartName, ReceivedPart>();
  #known: string | null = null;
  #state: FollowedState = 'connecting';
  #takenAt: number | null = null;
  /** By the announcement taken last. */
  #announced: FollowedState = 'connecting';

  constructor(options: FollowedServerOptions) {
    const { log } = options;
    this.#options = options;
    this.#outage = new WarnOnce({
      warn: (why) => log.warn(`the publications of FOLLOW_URL cannot be followed: ${why}`),
      onRecovery: () => log.info('the publications of FOLLOW_URL are followed'),
    });
    this.#loop = new WarnOnce({ warn: (why) => log.warn(why) });
    this.#otherSettings = new WarnOnce({ warn: (why) => log.warn(why) });
    this.#running = this.#run();
  }

  /**
   * `unavailable` = it has nothing better: the latest question failed, or its publication is older than the one here,
   * or is from the disk of the first server.
   */
  get state(): FollowedState {
    return this.#state;
  }

  /** When this process last took a publication, epoch ms; `null` = it has taken none. */
  get takenAt(): number | null {
    return this.#takenAt;
  }

  /** Stops following; resolves when what is under way has ended. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#options.client.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    for (let failures = 0; !signal.aborted; ) {
      const begun = performance.now();
      let pauseMs: number;
      try {
        const isNew = await this.#follow();
        failures = 0;
        this.#outage.succeeded();
        pauseMs = (isNew ? MIN_PAUSE_MS : PAUSE_MS) - (performance.now() - begun);
      } catch (error) {
        if (signal.aborted) return;
        this.#state = 'unavailable';
        if (error instanceof LoopFound) this.#loop.failed(error.message);
        else this.#outage.failed(messageOf(error));
        pauseMs = Math.min(PAUSE_MS * 2 ** failures, MAX_PAUSE_MS) * (0.5 + Math.random() / 2);
        failures += 1;
      }
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Asks once; resolves with whether the announcement was a new one. */
  async #follow(): Promise<boolean> {
    const { client, relay, settings } = this.#options;
    const body = await client.announcement(this.#known, LONG_POLL_MS, this.#stop.signal);
    if (body === null) {
      // It answers again, with what it had announced.
      this.#state = this.#announced;
      return false;
    }
    const announcement = readAnnouncement(body);
    if ('wrong' in announcement) throw new Error(announcement.wrong);
    const loop = relay.loopIn(announcement.servers);
    if (loop !== null) {
      relay.updateOrigin({ servers: [], isFromDatabase: false, isLoop: true });
      throw new LoopFound(loop);
    }
    if (announcement.isLoop) this.#loop.failed(LOOP_ELSEWHERE);
    else this.#loop.succeeded();
    if (announcement.settings === settings) this.#otherSettings.succeeded();
    else
      this.#otherSettings.failed(
        'SOURCES or PRICE_RANGES differ from those of the server at FOLLOW_URL: the same prices are judged differently',
      );
    const isBehind = isLaterPublication(this.#options.held().facts, announcement);
    this.#announced = announcement.isFromDatabase && !isBehind ? 'ready' : 'unavailable';
    // Before its prices are served: a process that has them and finds this unavailable waits for nothing more.
    this.#state = this.#announced;
    await this.#takeIfLater(announcement);
    this.#known = digestOf(body);
    return true;
  }

  async #takeIfLater(announcement: PublicationAnnouncement): Promise<void> {
    const { held, relay, take, clock } = this.#options;
    if ((announcement.publishedAt ?? 0) > clock() + MAX_AHEAD_MS)
      throw new Error('its publication is of a time to come: compare the clocks of both machines');
    if (!isWanted(announcement, held())) {
      if (isSamePlace(announcement, held().facts)) relay.updateOrigin(announcement);
      return;
    }
    const parts = await this.#receive(announcement);
    const state = stateOf(parts, held().statistics);
    if (!isSamePlace(announcement, state.facts)) throw new Error('its facts are of another publication than announced');
    await take(state);
    this.#parts = parts;
    this.#takenAt = clock();
    relay.forward(
      state.facts,
      [...parts.values()].map(({ packed }) => packed),
      announcement,
    );
  }

  /** The parts of a publication, of which only those are downloaded that are not here. */
  async #receive({ parts }: PublicationAnnouncement): Promise<Map<PartName, ReceivedPart>> {
    const received = new Map<PartName, ReceivedPart>();
    for (const part of parts) {
      const known = this.#parts.get(part.name);
      received.set(part.name, known?.packed.digest === part.digest ? known : await this.#download(part));
    }
    return received;
  }

  async #download({ name, digest, bytes: size }: AnnouncedPart): Promise<ReceivedPart> {
    const bytes = await this.#options.client.part(digest, this.#stop.signal);
    if (bytes.length !== size || digestOf(bytes) !== digest)
      throw new Error(`what it sent as its ${name} is not what it announced`);
    const content = await unpackPart(name, bytes).catch((error) => {
      throw new Error(`its ${name} cannot be read: ${messageOf(error)}`);
    });
    return { packed: { name, digest, bytes }, content };
  }
}

/** A later publication, or the same one with the statistics that it lacked before. Nothing ever goes back. */
function isWanted(announced: PublicationAnnouncement, { facts, hasAllStatistics }: LoadedState): boolean {
  if (announced.version === 0) return false;
  if (isLaterPublication(announced, facts)) return true;
  const hasMore = !hasAllStatistics && announced.parts.some(({ name }) => name === 'statistics');
  return hasMore && isSamePlace(announced, facts);
}

function isSamePlace(one: PublicationPlace, other: PublicationPlace): boolean {
  return one.version === other.version && one.publishedAt === other.publishedAt;
}

/** Statistics that were not relayed, since the followed server has not read them yet, stay as they were. */
function stateOf(parts: ReadonlyMap<PartName, ReceivedPart>, held: StatisticsHistory): LoadedState {
  const content = <Name extends PartName>(name: Name) => parts.get(name)?.content as PartContent[Name] | undefined;
  const statistics = content('statistics');
  return {
    facts: content('facts') as PartContent['facts'],
    history: content('history') as PartContent['history'],
    statistics: statistics ?? held,
    hasAllStatistics: statistics !== undefined,
  };
}
