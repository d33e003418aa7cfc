/** Sends requests to the register, counts them, and stops with the run. */

import { abortable } from '../../../concurrency/abortable.ts';
import { type Answer, NoAnswer, SourceFailed, type SweepContext } from '../../source.ts';
import { parseReply, type RegisterReply } from '../parsing/reply.ts';

export class RegisterClient {
  readonly #context: Pick<SweepContext, 'ask' | 'signal'>;
  #requestCount = 0;
  #sawNoSuchUnit = false;

  constructor(context: Pick<SweepContext, 'ask' | 'signal'>) {
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
    if (reply.kind === 'no-such' || reply.kind === 'empty-list') this.#sawNoSuchUnit = true;
    return reply;
  }

  /** The raw answer, or why there is none. */
  async fetchAnswer(target: string): Promise<Answer | { why: string }> {
    if (this.#context.signal.aborted) throw this.#stoppedError();
    this.#requestCount += 1;
    try {
      return await abortable(this.#context.signal, () => this.#context.ask(target, { accept: 'application/json' }));
    } catch (error) {
      if (this.#context.signal.aborted) throw this.#stoppedError();
      if (error instanceof NoAnswer) return { why: error.message };
      throw error;
    }
  }

  #stoppedError(): SourceFailed {
    const { reason } = this.#context.signal;
    const why = reason instanceof Error ? reason.message : String(reason);
    return new SourceFailed(`the sweep of the register was stopped after ${this.#requestCount} requests: ${why}`);
  }
}
