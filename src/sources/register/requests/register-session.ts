/** The requests of one run to the register: counts them and sends no more once the run is stopped. */

import { NoResponse, type ReceivedResponse } from '../../../clients/http/response.ts';
import { abortable } from '../../../concurrency/abortable.ts';
import { SourceFailed, type SweepContext } from '../../source.ts';
import { parseReply, type RegisterReply } from '../parsing/register-reply.ts';

/**
 * The largest sum of all answers of a sweep, after unpacking, and of their station and product rows: several times a
 * usual sweep. Their rows are held in memory until its end, and their bytes stay in the archive.
 */
const MAX_SWEEP = { bytes: 64_000_000, rows: 250_000 };

export class RegisterSession {
  readonly #context: Pick<SweepContext, 'fetch' | 'signal'>;
  #requestCount = 0;
  #bytes = 0;
  #rows = 0;
  #sawNoSuchUnit = false;

  constructor(context: Pick<SweepContext, 'fetch' | 'signal'>) {
    this.#context = context;
  }

  /** Number of requests so far. */
  get requestCount(): number {
    return this.#requestCount;
  }

  /** Whether any answer was "no such thing" (500, or a bare `[]`). */
  get sawNoSuchUnit(): boolean {
    return this.#sawNoSuchUnit;
  }

  /** The register's reply to `target`. Rejects with `SourceFailed` as soon as the run is stopped. */
  async request(target: string): Promise<RegisterReply> {
    const answer = await this.fetchAnswer(target);
    const reply: RegisterReply = 'why' in answer ? { kind: 'none', why: answer.why } : parseReply(answer);
    if (reply.kind === 'items') this.#addRows(reply.items.stations.length + reply.items.products.length);
    if (reply.kind === 'no-such' || reply.kind === 'empty-list') this.#sawNoSuchUnit = true;
    return reply;
  }

  /** The raw answer, or why there is none. */
  async fetchAnswer(target: string): Promise<ReceivedResponse | { why: string }> {
    if (this.#context.signal.aborted) throw this.#stoppedError();
    this.#requestCount += 1;
    try {
      const fetch = () => this.#context.fetch(target, { accept: 'application/json' });
      const answer = await abortable(this.#context.signal, fetch);
      this.#addBytes(answer.body.length);
      return answer;
    } catch (error) {
      if (this.#context.signal.aborted) throw this.#stoppedError();
      if (error instanceof NoResponse) return { why: error.message };
      throw error;
    }
  }

  #addBytes(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= MAX_SWEEP.bytes) return;
    throw new SourceFailed(`the register sent more than ${MAX_SWEEP.bytes / 1_000_000} MB; no sweep is so large`);
  }

  #addRows(rows: number): void {
    this.#rows += rows;
    if (this.#rows <= MAX_SWEEP.rows) return;
    throw new SourceFailed(`the register sent more than ${MAX_SWEEP.rows} rows; no sweep is so large`);
  }

  #stoppedError(): SourceFailed {
    const { reason } = this.#context.signal;
    const why = reason instanceof Error ? reason.message : String(reason);
    return new SourceFailed(`the sweep of the register was stopped after ${this.#requestCount} requests: ${why}`);
  }
}
