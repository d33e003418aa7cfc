/** Cleans the texts of one feed station and counts those that cannot be used. */
import { foldName } from '../../domain/places/place-names.ts';
import { cleanText } from './fields.ts';
import { type ReportRejection, sample } from './station-feed.ts';
import { MAX_LENGTHS, MAX_SERVICES, plainText } from './texts.ts';

const NO_PHONE = /^(no telephone|n\/?a|-+|0+|none|null|nu are)?$/i;

export class StationTexts {
  readonly #id: string;
  readonly #reject: ReportRejection;

  constructor(id: string, reject: ReportRejection) {
    this.#id = id;
    this.#reject = reject;
  }

  /** A name or address, cut if it is too long; `''` if there is none. */
  text(value: unknown, longest: number): string {
    if ((value ?? '') === '') return '';
    const text = plainText(value, longest);
    if (text === '' && !(typeof value === 'string' && value.trim() === ''))
      this.#reject('bad_text', sample(this.#id, value));
    else if (String(value).trim().length > longest) this.#reject('long_text', sample(this.#id, value));
    return text;
  }

  /** Opening hours as given. Hours that are too long are left out, since cutting could change their meaning. */
  hours(value: unknown): string | null {
    const text = this.text(
      typeof value === 'string' && value.length > MAX_LENGTHS.hours ? '' : value,
      MAX_LENGTHS.hours,
    );
    if (typeof value === 'string' && value.length > MAX_LENGTHS.hours)
      this.#reject('long_hours', sample(this.#id, value));
    return text === '' ? null : text;
  }

  /** The first valid telephone number. */
  phone(...values: readonly unknown[]): string | null {
    for (const value of values) {
      // One character more than allowed, so that a cut number is rejected: it would be a different number.
      const text = this.text(value, MAX_LENGTHS.phone + 1);
      if (/^[+(]?\d[\d ()+/.,;-]{4,58}$/.test(text)) return text;
      if (!NO_PHONE.test(text)) this.#reject('bad_phone', sample(this.#id, text));
    }
    return null;
  }

  /** Names of services, each once, in their order. */
  services(names: readonly unknown[]): string[] {
    const plain = names.map((name) => this.text(name, MAX_LENGTHS.service)).filter((name) => name !== '');
    const each = [...new Set(plain)];
    if (each.length > MAX_SERVICES) this.#reject('many_services', sample(this.#id, each.length));
    return each.slice(0, MAX_SERVICES);
  }

  /** Street and town in one text, without repeating the town. */
  address(street: unknown, ...places: readonly unknown[]): string {
    const parts = [street, ...places].map((part) => this.text(part, MAX_LENGTHS.address)).filter((part) => part !== '');
    const distinct = parts.filter((part, index) => !parts.slice(0, index).some((before) => mentions(before, part)));
    return cleanText(distinct.join(', '), MAX_LENGTHS.address);
  }
}

function mentions(text: string, word: string): boolean {
  return foldName(text).includes(foldName(word));
}
