/** Asks the register, counts what was asked, and stops with the run. */

import { untilStopped } from '../../feed/until-stopped.ts';
import { type Answer, NoAnswer, SourceFailed, type SweepContext } from '../../source.ts';
import { type Reply, readReply } from '../parsing/reply.ts';

export class Questions {
  readonly #context: Pick<SweepContext, 'ask' | 'signal'>;
  #asked = 0;
  #sawNoSuch = false;

  constructor(context: Pick<SweepContext, 'ask' | 'signal'>) {
    this.#context = context;
  }

  /** Questions put so far. */
  get asked(): number {
    return this.#asked;
  }

  /** Whether any question was answered with "no such thing" (500, or a bare `[]`). */
  get sawNoSuch(): boolean {
    return this.#sawNoSuch;
  }

  /** What the register says to `target`. Rejects with `SourceFailed` as soon as the run is stopped. */
  async ask(target: string): Promise<Reply> {
    const answer = await this.answer(target);
    const reply: Reply = 'why' in answer ? { kind: 'none', why: answer.why } : readReply(answer);
    if (reply.kind === 'no-such' || reply.kind === 'empty-list') this.#sawNoSuch = true;
    return reply;
  }

  /** The bare answer, or why there is none. */
  async answer(target: string): Promise<Answer | { why: string }> {
    if (this.#context.signal.aborted) throw this.#stop();
    this.#asked += 1;
    try {
      return await untilStopped(this.#context.signal, () => this.#context.ask(target, { accept: 'application/json' }));
    } catch (error) {
      if (this.#context.signal.aborted) throw this.#stop();
      if (error instanceof NoAnswer) return { why: error.message };
      throw error;
    }
  }

  #stop(): SourceFailed {
    const { reason } = this.#context.signal;
    const why = reason instanceof Error ? reason.message : String(reason);
    return new SourceFailed(`the sweep of the register was stopped after ${this.#asked} questions: ${why}`);
  }
}
