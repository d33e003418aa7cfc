/** The claims of all processes, as a serving process asks its supervisor for them. */
import { TimeoutError, withTimeout } from '../../concurrency/with-timeout.ts';
import { type AcceptanceClaims, refusedForAnHour } from '../../store/limits/acceptance-claims.ts';
import type { ToServingProcess, ToSupervisor } from './supervisor-messages.ts';

/** A supervisor that does not answer within this time has gone, and this process is about to end. */
const TIMEOUT_MS = 1_000;

type Claimed = Extract<ToServingProcess, { kind: 'claimed' }>;

export class AskedClaims implements AcceptanceClaims {
  readonly #tell: (message: ToSupervisor) => void;
  readonly #waiting = new Map<number, (before: number | null) => void>();
  #asked = 0;

  constructor(tell: (message: ToSupervisor) => void) {
    this.#tell = tell;
  }

  async claim(name: string, at: number): Promise<number | null> {
    this.#asked += 1;
    const id = this.#asked;
    const { promise, resolve } = Promise.withResolvers<number | null>();
    this.#waiting.set(id, resolve);
    this.#tell({ kind: 'claim', id, name, at });
    try {
      return await withTimeout(TIMEOUT_MS, promise);
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      // The supervisor may still grant it, to nobody: its messages come in order.
      this.release(name, at);
      return refusedForAnHour(at);
    } finally {
      this.#waiting.delete(id);
    }
  }

  release(name: string, at: number): void {
    this.#tell({ kind: 'release', name, at });
  }

  /** Receives an answer of the supervisor. */
  claimed({ id, before }: Claimed): void {
    this.#waiting.get(id)?.(before);
  }
}
