/** Turns each snapshot into what is served, and swaps it in whole. */
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Endpoint } from '../declaration/endpoint.ts';
import { bestBrotli } from '../encoding/best-compression.ts';
import { Edition } from '../rendering/rendered-snapshot.ts';
import type { Log } from '../response/log.ts';
import { HotAnswers } from './prerendered-responses.ts';

/** One publication, with the bytes made from it: whoever reads this reference once sees nothing else. */
export type Served = { readonly edition: Edition; readonly hot: HotAnswers };

export class Publisher {
  readonly #endpoints: readonly Endpoint[];
  readonly #log: Log;
  #served: Served;
  #wanted: Snapshot;
  #work: Promise<void> = Promise.resolve();
  #improving = new AbortController();

  private constructor(endpoints: readonly Endpoint[], log: Log, snapshot: Snapshot, served: Served) {
    this.#endpoints = endpoints;
    this.#log = log;
    this.#wanted = snapshot;
    this.#served = served;
    this.#improve(served);
  }

  /** Renders the first snapshot before anything is served. */
  static async of(endpoints: readonly Endpoint[], log: Log, snapshot: Snapshot): Promise<Publisher> {
    return new Publisher(endpoints, log, snapshot, await render(endpoints, snapshot));
  }

  /** What is served now. */
  get served(): Served {
    return this.#served;
  }

  /**
   * Renders a snapshot and swaps it in with one reference; resolves once it, or a later one, is served. Calls made
   * meanwhile wait their turn, and of those that wait only the last is rendered.
   */
  refresh(snapshot: Snapshot): Promise<void> {
    this.#wanted = snapshot;
    const turn = this.#work.then(() => this.#publish());
    this.#work = turn.catch(() => undefined);
    return turn;
  }

  /** Gives up the work that only makes answers smaller. */
  close(): void {
    this.#improving.abort();
  }

  async #publish(): Promise<void> {
    const snapshot = this.#wanted;
    if (this.#served.edition.snapshot === snapshot) return;
    // What is about to be replaced need not become smaller: the machine is wanted for its successor.
    this.#improving.abort();
    const served = await render(this.#endpoints, snapshot);
    this.#served = served;
    this.#improve(served);
  }

  #improve({ hot }: Served): void {
    this.#improving = new AbortController();
    const { signal } = this.#improving;
    hot
      .improve((plain) => bestBrotli(plain, signal))
      .catch((err) => this.#log.warn({ err }, 'answers stay as they are: the best compression failed'));
  }
}

async function render(endpoints: readonly Endpoint[], snapshot: Snapshot): Promise<Served> {
  const edition = await Edition.of(snapshot);
  return { edition, hot: await HotAnswers.of(endpoints, edition) };
}
