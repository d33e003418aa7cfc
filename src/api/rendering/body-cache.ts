/** Bodies made once and used by many requests of one publication, bounded by their size. */
import type { Body } from '../encoding/body.ts';

/** How many names asked for once are remembered. */
const ASKED_ONCE = 2_048;

export class KeptBodies {
  readonly #limit: number;
  readonly #bodies = new Map<string, Body>();
  #askedOnce = new Set<string>();
  #size = 0;

  /** @param limit bytes of plain bodies to keep; beyond it the one made first goes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The body of that name, made if it is not there. */
  get(name: string, make: () => Body): Body {
    const known = this.#bodies.get(name);
    if (known) return known;
    return this.#keep(name, make());
  }

  /** As `get`, for names without number, most of which never come again: kept from the second time on. */
  getRepeated(name: string, make: () => Body): Body {
    const known = this.#bodies.get(name);
    if (known) return known;
    const body = make();
    if (this.#askedOnce.delete(name)) return this.#keep(name, body);
    if (this.#askedOnce.size >= ASKED_ONCE) this.#askedOnce = new Set();
    this.#askedOnce.add(name);
    return body;
  }

  #keep(name: string, body: Body): Body {
    body.share();
    this.#bodies.set(name, body);
    this.#size += body.length;
    this.#shrink();
    return body;
  }

  #shrink(): void {
    for (const [name, { length }] of this.#bodies) {
      if (this.#size <= this.#limit || this.#bodies.size === 1) return;
      this.#bodies.delete(name);
      this.#size -= length;
    }
  }
}
