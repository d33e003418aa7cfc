/** The claims of all processes, which a serving process requests from its supervisor. */
import { TimeoutError, withTimeout } from '../../concurrency/with-timeout.ts';
import { type AcceptanceClaims, refusedForAnHour } from '../../store/limits/acceptance-claims.ts';
import type { ToServingProcess, ToSupervisor } from './supervisor-messages.ts';

/** A supervisor that does not answer within this time is gone, and this process is about to end. */
const TIMEOUT_MS = 1_000;

type Claimed = Extract<ToServingProcess, { kind: 'claimed' }>;

export class ClaimsClient implements AcceptanceClaims {
  readonly #send: (message: ToSupervisor) => void;
  readonly #pending = new Map<number, (before: number | null) => void>();
  #requested = 0;

  constructor(send: (message: ToSupervisor) => void) {
    this.#send = send;
  }

  async claim(name: string, at: number): Promise<number | null> {
    this.#requested += 1;
    const id = this.#requested;
    const { promise, resolve } = Promise.withResolvers<number | null>();
    this.#pending.set(id, resolve);
    this.#send({ kind: 'claim', id, name, at });
    try {
      return await withTimeout(TIMEOUT_MS, promise);
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      // The supervisor may still grant it, to nobody: its messages come in order.
      this.release(name, at);
      return refusedForAnHour(at);
    } finally {
      this.#pending.delete(id);
    }
  }

  release(name: string, at: number): void {
    this.#send({ kind: 'release', name, at });
  }

  /** Receives an answer of the supervisor. */
  receive({ id, before }: Claimed): void {
    this.#pending.get(id)?.(before);
  }
}
