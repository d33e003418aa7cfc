/** Bodies made once and used by many requests of one publication, bounded by their size. */
import { Body } from './body.ts';

export class KeptBodies {
  readonly #limit: number;
  readonly #bodies = new Map<string, Body>();
  #size = 0;

  /** @param limit bytes of plain bodies to keep; beyond it the one made first goes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The body of that name, made if it is not there. */
  get(name: string, make: () => string | Buffer): Body {
    const known = this.#bodies.get(name);
    if (known) return known;
    const body = Body.kept(make());
    this.#bodies.set(name, body);
    this.#size += body.plain.length;
    this.#shrink();
    return body;
  }

  #shrink(): void {
    for (const [name, { plain }] of this.#bodies) {
      if (this.#size <= this.#limit || this.#bodies.size === 1) return;
      this.#bodies.delete(name);
      this.#size -= plain.length;
    }
  }
}
