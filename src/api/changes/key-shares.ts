/** How much of something one key, and all together, may hold at a time. */

export type ShareLimits = { readonly perKey: number; readonly inAll: number };

export class KeyShares {
  readonly #limits: ShareLimits;
  readonly #held = new Map<number, number>();
  #inAll = 0;

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /** Takes one and returns what gives it back, or says whose share is used up. */
  take(key: number): (() => void) | 'key' | 'all' {
    const held = this.#held.get(key) ?? 0;
    if (held >= this.#limits.perKey) return 'key';
    if (this.#inAll >= this.#limits.inAll) return 'all';
    this.#held.set(key, held + 1);
    this.#inAll += 1;
    let isReturned = false;
    return () => {
      if (isReturned) return;
      isReturned = true;
      this.#inAll -= 1;
      const left = (this.#held.get(key) as number) - 1;
      if (left === 0) this.#held.delete(key);
      else this.#held.set(key, left);
    };
  }
}
