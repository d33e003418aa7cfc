/**
 * `<pompa-pret oras="cluj-napoca" carburant="motorina">`: the price of a place in a page of another site. One file
 * without imports, which asks the site that it came from and nobody else. What the element contains is shown until the
 * price is there, and where it cannot be had or there is no such fuel; without it, a link. `oras`, `statie` or neither
 * (the country), `carburant` (all without it), `limba` (`ro`, `en`) and `tema` (`auto`, `deschis`, `inchis`) say what
 * is shown.
 */
import type { FileFuel, FilePrice, PriceFile } from './price-file.ts';

export type Choice = {
  readonly oras: string | null;
  readonly statie: string | null;
  readonly carburant: string | null;
  readonly limba: string | null;
};

const FUELS: { readonly [Fuel in FileFuel]: readonly [ro: string, en: string] } = {
  benzina: ['Benzină', 'Petrol'],
  'benzina-premium': ['Benzină premium', 'Premium petrol'],
  motorina: ['Motorină', 'Diesel'],
  'motorina-premium': ['Motorină premium', 'Premium diesel'],
  gpl: ['GPL', 'LPG'],
};
const WORDS = {
  ro: { link: 'Prețul carburanților', none: 'fără preț sigur', from: 'de la', source: 'Sursa', made: 'Date simulate' },
  en: { link: 'Fuel prices', none: 'no reliable price', from: 'from', source: 'Source', made: 'Simulated data' },
};
const DAY_MS = 86_400_000;
const TIMEOUT_MS = 10_000;

/** The path of the file of a place. */
export function filePath({ oras, statie }: Choice): string {
  if (statie) return `/widget/statie/${encodeURIComponent(statie)}.json`;
  return oras ? `/widget/oras/${encodeURIComponent(oras)}.json` : '/widget/romania.json';
}

/** The page to which the link leads where there is no file. */
export function pagePath({ oras, statie, limba }: Choice): string {
  const isEnglish = limba === 'en';
  if (statie) return `${isEnglish ? '/en/station/' : '/statie/'}${encodeURIComponent(statie)}`;
  if (oras) return `${isEnglish ? '/en/fuel-prices/' : '/preturi-carburanti/'}${encodeURIComponent(oras)}`;
  return isEnglish ? '/en' : '/';
}

export type Row = { readonly name: string; readonly price: string | null; readonly note: string };

const FUEL_WORDS = Object.keys(FUELS) as FileFuel[];

/** The fuel that a word means, also one of the API such as `benzina_standard`; `undefined` = none. */
function fuelOf(word: string): FileFuel | undefined {
  const meant = word.replace('_standard', '').replace('_', '-');
  return FUEL_WORDS.find((fuel) => fuel === meant || FUELS[fuel][1].toLowerCase().replace(' ', '-') === meant);
}

/** What is wrong with the fuel, for whoever wrote the page; `null` = nothing. */
export function badFuel({ carburant }: Choice): string | null {
  if (!carburant || fuelOf(carburant)) return null;
  return `<pompa-pret carburant="${carburant}">: ${FUEL_WORDS.join(', ')}`;
}

/** What is shown of a file: a row a fuel. */
export function rowsOf(file: PriceFile, { carburant, limba }: Choice): Row[] {
  const language = limba === 'en' ? 'en' : 'ro';
  const only = carburant ? fuelOf(carburant) : undefined;
  const shown = only ? [only] : FUEL_WORDS.filter((fuel) => file.fel !== 'statie' || file.preturi[fuel]);
  return shown.map((fuel) => {
    const price = file.preturi[fuel];
    const name = FUELS[fuel][language === 'en' ? 1 : 0];
    return { name, price: price ? lei(price.pret, language) : null, note: price ? noteOf(price, file, language) : '' };
  });
}

function noteOf({ statie, observat }: FilePrice, { fel, data }: PriceFile, language: 'ro' | 'en'): string {
  const where = statie && fel !== 'statie' ? `${statie.retea}, ${statie.adresa}` : '';
  const from = statie && fel === 'tara' ? `${WORDS[language].from} ${lei(statie.pret, language)}: ` : '';
  const days = observat ? Math.round((Date.parse(observat) - Date.parse(data)) / DAY_MS) : null;
  const age = days === null ? '' : new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day');
  return [from + where, age].filter(Boolean).join(' · ');
}

function lei(price: number, language: string): string {
  return price.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 3 });
}

/** Elements of one place share a request. */
const files = new Map<string, Promise<PriceFile>>();

function readFile(url: string): Promise<PriceFile> {
  let file = files.get(url);
  if (file === undefined) {
    file = fetch(url, { credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT_MS) }).then((response) => {
      if (!response.ok) throw new Error(`${url}: ${response.status}`);
      return response.json() as Promise<PriceFile>;
    });
    // Whoever asks again may have better luck.
    file.catch(() => files.delete(url));
    files.set(url, file);
  }
  return file;
}

/** A style sheet made by code needs no consent of the page's security policy. */
const CSS = `:host{--pompa-fond:#fff;--pompa-text:#16211e;--pompa-note:#56605d;--pompa-linie:#d5dedb;--pompa-link:#0b5d4b;display:block;max-width:30rem;padding:.7rem .8rem;border:1px solid var(--pompa-linie);border-radius:.6rem;background:var(--pompa-fond);color:var(--pompa-text);font:.9rem/1.4 system-ui,sans-serif}
:host([hidden]){display:none}
:host([tema=inchis]),:host([tema=dark]){${dark()}}
@media(prefers-color-scheme:dark){:host(:not([tema=deschis],[tema=light])){${dark()}}}
a{color:var(--pompa-link)}
b{font-size:1.05rem}
p{display:flex;gap:.75rem;justify-content:space-between;align-items:baseline;margin:.4rem 0;padding-top:.4rem;border-top:1px solid var(--pompa-linie)}
strong{flex:none;font-variant-numeric:tabular-nums}
small{display:block;color:var(--pompa-note);font-size:.8rem}`;

function dark(): string {
  return '--pompa-fond:#1a201e;--pompa-text:#e7ebe8;--pompa-note:#a3ada9;--pompa-linie:#333b38;--pompa-link:#6fd0b5';
}

function define(site: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);

  class PompaPret extends HTMLElement {
    static observedAttributes = ['oras', 'statie', 'carburant', 'limba'];
    readonly #root = this.attachShadow({ mode: 'open' });

    connectedCallback(): void {
      void this.#show();
    }

    attributeChangedCallback(): void {
      if (this.isConnected) void this.#show();
    }

    async #show(): Promise<void> {
      const url = site + filePath(this.#choice);
      this.#root.adoptedStyleSheets = [sheet];
      if (this.#root.childElementCount === 0) this.#root.append(fallback(this.#choice, site));
      const file = await readFile(url).catch(() => null);
      const choice = this.#choice;
      // It may be about another place by now.
      if (site + filePath(choice) !== url) return;
      const bad = badFuel(choice);
      if (bad !== null) console.warn(bad);
      this.#root.replaceChildren(...(file && bad === null ? parts(file, choice) : [fallback(choice, site)]));
    }

    get #choice(): Choice {
      const [oras, statie, carburant, limba] = PompaPret.observedAttributes.map((name) => this.getAttribute(name));
      return { oras, statie, carburant, limba } as Choice;
    }
  }

  customElements.define('pompa-pret', PompaPret);
}

/** What the page put into the element, or else a link. */
function fallback(choice: Choice, site: string): HTMLElement {
  const slot = document.createElement('slot');
  slot.append(link(site + pagePath(choice), `${WORDS[choice.limba === 'en' ? 'en' : 'ro'].link} · Pompa`));
  return slot;
}

function parts(file: PriceFile, choice: Choice): HTMLElement[] {
  const language = choice.limba === 'en' ? 'en' : 'ro';
  const words = WORDS[language];
  const title = element('b');
  title.append(link(file.pagina[language], file.nume[language]));
  const rows = rowsOf(file, choice).map(({ name, price, note }) => {
    const row = element('p');
    const left = element('span', name);
    if (note !== '') left.append(element('small', note));
    row.append(left, element('strong', price === null ? words.none : `${price} lei/l`));
    return row;
  });
  const source = element('small', `${file.simulat ? `${words.made} · ` : ''}${words.source}: `);
  source.append(link(file.pagina[language], file.sursa), ` (${file.licenta}) · ${dayIn(file.data, language)}`);
  return [title, ...rows, source];
}

function dayIn(day: string, language: string): string {
  return new Date(day).toLocaleDateString(language === 'en' ? 'en-GB' : 'ro', { dateStyle: 'long', timeZone: 'UTC' });
}

function element(name: string, text = ''): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function link(url: string, text: string): HTMLElement {
  const made = document.createElement('a');
  made.href = url;
  made.target = '_blank';
  made.rel = 'noopener';
  made.textContent = text;
  return made;
}

if (typeof customElements !== 'undefined' && !customElements.get('pompa-pret')) define(new URL(import.meta.url).origin);
