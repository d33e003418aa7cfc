/** The form by which drivers report a wrong price: its address, and what its fields hold. */
import { FUELS, type Fuel, type MilliPrice } from '../fuel.ts';
import type { LocalizedText } from '../localized-text.ts';

/** Where the form of a station's page posts a report; not a page by itself. `:station` as in `ROUTES.station`. */
export const REPORT_FORM_PATH: LocalizedText = {
  ro: '/statie/:station/semnalare',
  en: '/en/station/:station/report',
};

/** A fuel with the price that the page shows: what the visitor looks at, whatever is published meanwhile. */
export type ShownFuel = { readonly fuel: Fuel; readonly shownPrice: MilliPrice | null };

/** A value of the field `fuel`: `petrol 7450`, `lpg` without a price. */
export function shownFuelText({ fuel, shownPrice }: ShownFuel): string {
  return shownPrice === null ? fuel : `${fuel} ${shownPrice}`;
}

/** What a value of the field `fuel` means; `null` = nothing. */
export function parseShownFuel(text: string): ShownFuel | null {
  const [, name, price] = /^([a-z_]+)(?: (\d{1,7}))?$/.exec(text) ?? [];
  const fuel = FUELS.find((each) => each === name);
  return fuel === undefined ? null : { fuel, shownPrice: price === undefined ? null : Number(price) };
}

/** A price in lei as people write it, `7,59` or `7.5 lei`; `null` = it is none. */
export function parseLei(text: string): MilliPrice | null {
  const [, whole, digits = ''] = /^(\d{1,3})(?:[.,](\d{1,3}))?(?: ?(?:lei|ron)(?:\/l)?)?$/i.exec(text.trim()) ?? [];
  return whole === undefined ? null : Number(whole) * 1_000 + Number(digits.padEnd(3, '0'));
}
