/** The words of one station of a feed, each made plain, what cannot be used counted. */
import { fold } from '../../domain/places/place-names.ts';
import { cleanText } from './fields.ts';
import { type Refuse, sample } from './station-feed.ts';
import { LONGEST, MOST_SERVICES, plainText } from './texts.ts';

const NO_PHONE = /^(no telephone|n\/?a|-+|0+|none|null|nu are)?$/i;

export class StationTexts {
  readonly #id: string;
  readonly #refuse: Refuse;

  constructor(id: string, refuse: Refuse) {
    this.#id = id;
    this.#refuse = refuse;
  }

  /** A name or address, cut where it is too long; `''` when there is none. */
  text(value: unknown, longest: number): string {
    if ((value ?? '') === '') return '';
    const text = plainText(value, longest);
    if (text === '' && !(typeof value === 'string' && value.trim() === ''))
      this.#refuse('bad_text', sample(this.#id, value));
    else if (String(value).trim().length > longest) this.#refuse('long_text', sample(this.#id, value));
    return text;
  }

  /** Opening hours as given. Hours that are too long are left out: cut, they would say something else. */
  hours(value: unknown): string | null {
    const text = this.text(typeof value === 'string' && value.length > LONGEST.hours ? '' : value, LONGEST.hours);
    if (typeof value === 'string' && value.length > LONGEST.hours) this.#refuse('long_hours', sample(this.#id, value));
    return text === '' ? null : text;
  }

  /** The first of the numbers that is one. */
  phone(...values: readonly unknown[]): string | null {
    for (const value of values) {
      // One character more than may be: a number that was cut is another number.
      const text = this.text(value, LONGEST.phone + 1);
      if (/^[+(]?\d[\d ()+/.,;-]{4,58}$/.test(text)) return text;
      if (!NO_PHONE.test(text)) this.#refuse('bad_phone', sample(this.#id, text));
    }
    return null;
  }

  /** Names of services, each once, in their order. */
  services(names: readonly unknown[]): string[] {
    const plain = names.map((name) => this.text(name, LONGEST.service)).filter((name) => name !== '');
    const each = [...new Set(plain)];
    if (each.length > MOST_SERVICES) this.#refuse('many_services', sample(this.#id, each.length));
    return each.slice(0, MOST_SERVICES);
  }

  /** Street and town in one text, the town once. */
  address(street: unknown, ...places: readonly unknown[]): string {
    const parts = [street, ...places].map((part) => this.text(part, LONGEST.address)).filter((part) => part !== '');
    const apart = parts.filter((part, index) => !parts.slice(0, index).some((before) => mentions(before, part)));
    return cleanText(apart.join(', '), LONGEST.address);
  }
}

function mentions(text: string, word: string): boolean {
  return fold(text).includes(fold(word));
}
