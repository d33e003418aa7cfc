/** Texts of stations as data: from sources, so untrusted. */
import { visibleText } from '../../domain/visible-text.ts';

/** Names and addresses that are longer are no names. */
const MAX_CHARACTERS = 120;

/** A text of a source on one line, bounded, without hidden characters: a model must not read it as instructions. */
export function dataText(text: string): string {
  const visible = visibleText(text) ?? '';
  return visible.length > MAX_CHARACTERS ? `${visible.slice(0, MAX_CHARACTERS)}…` : visible;
}

/** Network, address and city of a station on one line. */
export function stationLine(station: {
  readonly brand: string;
  readonly address: string;
  readonly city: string;
}): string {
  return [station.brand, station.address, station.city].filter((part) => part !== '').join(', ');
}

/** A price with its unit. */
export const priceText = (price: number | null): string => (price === null ? 'no price' : `${price.toFixed(2)} RON/L`);
