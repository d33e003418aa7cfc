/** Tells changes after each publication, and whenever a verdict changes with time. */
import { WarnOnce } from '../../concurrency/warn-once.ts';
import { readFeedHead } from '../../store/changes/feed-head.ts';
import type { Database } from '../../store/connection/database.ts';
import { withIdleTimeout } from '../../store/connection/idle-timeout.ts';
import type { Listener } from '../../store/connection/listen.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { currentVersion, PUBLICATION_CHANNEL } from '../../store/prices/publication.ts';
import { type HeldState, type TellOptions, tellChanges } from './tell-changes.ts';

export type ChangeTellerOptions = Omit<TellOptions, 'db'> & {
  readonly database: Database<Schema>;
  readonly log: { info(message: string): void; warn(message: string): void };
  /** A second unless given. */
  readonly pollMs?: number;
};

/** From a publication until its changes are told: servers read it first, on cores that both may share. */
const TELL_DELAY_MS = 150;
/** How often the publication and the time are looked at, should a notification be lost. */
const POLL_MS = 1_000;
/** Between two tries while another process is telling. */
const MIN_PAUSE_MS = 100;
/** How long the server may be silent during a statement. */
const IDLE_TIMEOUT_MS = 15_000;

export class ChangeTeller {
  readonly #options: ChangeTellerOptions;
  readonly #outage: WarnOnce;
  /** What this process told last; of no use once another process has told a later state. */
  #held: HeldState | null = null;
  /** Until this process has judged once: an earlier program may have told by other rules or settings. */
  #isFirst = true;
  /** Until when the state told last holds, whoever told it. */
  #until = Number.POSITIVE_INFINITY;
  #running: Promise<void> | null = null;
  #runAgain = false;
  #listener: Listener | undefined;
  /** Until the next look, whatever is notified. */
  #timer: NodeJS.Timeout | undefined;
  /** Until the look that a notification asks for. */
  #delayed: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ChangeTellerOptions) {
    this.#options = options;
    this.#outage = new WarnOnce({
      warn: (why) => options.log.warn(`changes of served prices cannot be told: ${why}`),
      onRecovery: () => options.log.info('changes of served prices are told again'),
    });
  }

  /** Tells changes until closed; retries what fails. */
  start(): void {
    const check = () => this.#check();
    const checkDelayed = () => this.#checkDelayed();
    this.#listener = this.#options.database.listen(PUBLICATION_CHANNEL, { onNotify: checkDelayed, onListening: check });
    check();
  }

  /** Tells what is due now. */
  async tell(): Promise<void> {
    const { database, clock } = this.#options;
    const head = await readFeedHead(database);
    this.#until = head?.until ?? Number.POSITIVE_INFINITY;
    const isDue = head === null || clock() >= head.until || (await currentVersion(database)) !== head.version;
    if (!isDue && !this.#isFirst) return;
    const options = { ...this.#options, db: database.kysely };
    const held = this.#held;
    const told = await withIdleTimeout(IDLE_TIMEOUT_MS, () => tellChanges(options, held, { force: this.#isFirst }));
    if (told === null) return;
    this.#held = told;
    this.#until = told.head.until;
    this.#isFirst = false;
  }

  /** Resolves when what is under way has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#delayed);
    await this.#listener?.close();
    await this.#running;
  }

  /** Counted from the first of several notifications on, so that none postpones it. */
  #checkDelayed(): void {
    if (this.#running !== null) this.#check();
    else if (!this.#closed) this.#delayed ??= setTimeout(() => this.#check(), TELL_DELAY_MS);
  }

  #check(): void {
    clearTimeout(this.#delayed);
    this.#delayed = undefined;
    this.#runAgain = true;
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#runAgain && !this.#closed) {
      this.#runAgain = false;
      await this.tell().then(
        () => this.#outage.succeeded(),
        (error: Error) => {
          this.#until = Number.POSITIVE_INFINITY;
          if (!this.#closed) this.#outage.failed(error.message);
        },
      );
    }
    this.#running = null;
    if (!this.#closed) this.#timer = setTimeout(() => this.#check(), this.#untilNextCheck());
  }

  /** A verdict may change before the next poll. */
  #untilNextCheck(): number {
    const { clock, pollMs = POLL_MS } = this.#options;
    return Math.min(Math.max(this.#until - clock(), MIN_PAUSE_MS), pollMs);
  }
}
