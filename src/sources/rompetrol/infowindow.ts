/** The HTML of a station's window on the map: prices, opening hours, telephone. */
import { selectAll, selectOne } from 'css-select';
import { type HtmlDocument, type HtmlElement, type HtmlNode, parseFragment, textOf } from '../feed/parse-html.ts';

/** `<div class="item"><div class="fuel">Efix Benzina 95</div><span class="small">8.88 LEI/L</span></div>`. */
const SELECTORS = { each: 'div.item', name: 'div.fuel', price: 'span.small' };
const MAX_ITEMS = 60;
const PRICE = /^(-?\d{1,4}(?:[.,]\d{1,4})?)\s?([a-zа-я€]{1,4})\.?\s?\/\s?([a-z0-9]{1,6})\.?$/iu;
const HOURS_LABEL = /^(?:program|orar)\s*:\s*/i;
const PHONE_LABEL = /^(?:telefon|tel|phone)\.?\s*:\s*/i;

export type PriceText =
  /** A decimal with a dot, the format of `readPrice`. */
  | { readonly kind: 'ron'; readonly amount: string }
  | { readonly kind: 'other_currency' | 'other_quantity' | 'price_not_understood' | 'no_price' };

export type ProductItem = { readonly name: string; readonly rawPrice: string; readonly price: PriceText };
export type InfoWindow = {
  readonly items: readonly ProductItem[];
  readonly hours: string;
  readonly phone: string;
};

/** The contents of the window; `null` if its HTML exceeds the limits. */
export function readInfoWindow(html: string): InfoWindow | null {
  const window = parseFragment(html);
  if (window === null) return null;
  const paragraphs = all('p', window).map(textOf);
  return {
    items: all(SELECTORS.each, window).map(readItem),
    hours: textAfterLabel(paragraphs, HOURS_LABEL),
    phone: textAfterLabel(paragraphs, PHONE_LABEL),
  };
}

/** `8,88 LEI/L` → 8.88 RON a litre. Another currency or quantity, or a number without them, is not a price. */
export function readPriceText(text: string): PriceText {
  if (/^[-–—]*$|^(?:lei|ron)\s?\/\s?l$/i.test(text)) return { kind: 'no_price' };
  const [, amount = '', currency = '', quantity = ''] = PRICE.exec(text) ?? [];
  if (amount === '') return { kind: 'price_not_understood' };
  if (!/^(?:lei|ron)$/i.test(currency)) return { kind: 'other_currency' };
  if (!/^(?:l|litru)$/i.test(quantity)) return { kind: 'other_quantity' };
  return { kind: 'ron', amount: amount.replace(',', '.') };
}

function readItem(item: HtmlElement): ProductItem {
  const first = (selector: string) => textOf(selectOne<HtmlNode, HtmlElement>(selector, item));
  const rawPrice = first(SELECTORS.price);
  return { name: first(SELECTORS.name), rawPrice, price: readPriceText(rawPrice) };
}

function all(selector: string, window: HtmlDocument): HtmlElement[] {
  return selectAll<HtmlNode, HtmlElement>(selector, window).slice(0, MAX_ITEMS);
}

function textAfterLabel(paragraphs: readonly string[], label: RegExp): string {
  return paragraphs.find((text) => label.test(text))?.replace(label, '') ?? '';
}
