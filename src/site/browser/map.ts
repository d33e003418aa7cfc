/**
 * The movable map: prices as buttons, cheapest first as far as there is room, all other stations as dots. Without
 * this code the page has a picture instead. What it shows is kept in the address: the choices in the query, the view
 * after `#`.
 */
import type * as Leaflet from 'leaflet';
import { popupContent } from './map-popup.ts';
import { formatView, type MapSettings, type MapTileLayer, readView } from './map-start.ts';
import { type MapFile, type MapStation, parseMapStations, priceText } from './map-stations.ts';
import {
  cheapestFirst,
  type NameBox,
  type PillOffset,
  type PlacedMark,
  type PlacedPill,
  type PriceTone,
} from './place-pills.ts';

/** The library, loaded before this module. */
declare const L: typeof Leaflet;

type Mark = { readonly station: MapStation; readonly price: number | null };
type Choice = { readonly fuel: number; readonly network: string };

const COUNTRY: Leaflet.LatLngBoundsLiteral = [
  [43.6, 20.3],
  [48.3, 29.7],
];
/** Half a price and some room around a city's stations, px. */
const CITY_PADDING: [number, number] = [30, 20];
/** What the tiles cover. */
const COVERED: Leaflet.LatLngBoundsLiteral = [
  [41, 13],
  [51, 37],
];
/** How far the map can be moved: what is at the edge of the country can come to the middle of the view. */
const REACH: Leaflet.LatLngBoundsLiteral = [
  [36, 8],
  [55, 42],
];
const MIN_ZOOM = 6;
/** A frame that is narrower cannot show the whole country at the smallest of them, px. */
const NARROW = 440;
const NARROW_ZOOMS = { minZoom: 5.5, zoomSnap: 0.5 };
const OUR_TILES = { tileSize: 512, zoomOffset: -1, bounds: COVERED };
/** Other services want to know which site shows their tiles; the page itself names nobody where it comes from. */
const TILES_OF_OTHERS = { referrerPolicy: 'origin' } as const;
/** More dots than this are smaller. */
const MANY_DOTS = 100;
const RADIUS = { few: 5, many: 3.5 };
/** Of a price to its dot, px: above, below and beside it, the nearer ones first. */
const OFFSETS: readonly PillOffset[] = [
  [0, -17],
  [0, 17],
  [30, 0],
  [-30, 0],
  [24, -17],
  [-24, -17],
  [24, 17],
  [-24, 17],
];
/** Between a popup and what it is about, px. */
const POPUP_GAP = 8;

/** Makes the map of a page. */
async function startMap(root: HTMLElement, frame: HTMLElement, form: HTMLFormElement): Promise<void> {
  const settings = JSON.parse(root.dataset.settings ?? '{}') as MapSettings;
  const status = root.querySelector<HTMLElement>('[role="status"]');
  const stations = await readFile(settings.file);
  if (stations === null) {
    if (status !== null) status.textContent = settings.texts.failed ?? '';
    return;
  }
  const map = createMap(frame, settings);
  const prices = new PriceLayer(map, settings, status);
  const draw = () => prices.draw(stations, choiceOf(form, settings));
  map.on('moveend', () => {
    draw();
    history.replaceState(null, '', formatView(map.getZoom(), map.getCenter()));
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  draw();
  form.classList.add('live');
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', () => {
    map.closePopup();
    draw();
    void showChoice(form);
  });
  // Somebody chose before this code was ready.
  if (form.querySelector(':checked:not([checked], [selected])') !== null) void showChoice(form);
}

async function readFile(address: string): Promise<MapStation[] | null> {
  try {
    const response = await fetch(address);
    return response.ok ? parseMapStations((await response.json()) as MapFile) : null;
  } catch {
    return null;
  }
}

function createMap(frame: HTMLElement, { bounds, texts, tiles }: MapSettings): Leaflet.Map {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const zooms = { minZoom: MIN_ZOOM, maxZoom: tiles.maxZoom, ...(frame.clientWidth < NARROW ? NARROW_ZOOMS : {}) };
  const options = { ...zooms, maxBounds: REACH, zoomControl: false, preferCanvas: true };
  const map = L.map(frame, { ...options, zoomAnimation: !isStill, fadeAnimation: !isStill, inertia: !isStill });
  map.attributionControl.setPrefix('Leaflet');
  // At the bottom, where no popup covers it: popups open above their mark.
  L.control
    .zoom({ position: 'bottomleft', zoomInTitle: texts.zoomIn ?? '', zoomOutTitle: texts.zoomOut ?? '' })
    .addTo(map);
  tileLayer(tiles).addTo(map);
  const view = readView(location.hash);
  if (view !== null) return map.setView([view.lat, view.lng], view.zoom);
  if (bounds === null) return map.fitBounds(COUNTRY);
  const [south, west, north, east] = bounds;
  return map.fitBounds(L.latLngBounds([south, west], [north, east]), { padding: CITY_PADDING });
}

function tileLayer({ url, attribution, maxZoom, isOurs }: MapTileLayer): Leaflet.TileLayer {
  // Tiles of the next zoom fill the half step below it.
  const common = { attribution, maxZoom, minZoom: NARROW_ZOOMS.minZoom };
  return L.tileLayer(url, { ...common, ...(isOurs ? OUR_TILES : TILES_OF_OTHERS) });
}

function choiceOf(form: HTMLFormElement, { fuels }: MapSettings): Choice {
  const values = new FormData(form);
  return {
    fuel: Math.max(
      0,
      fuels.findIndex(({ slug }) => slug === values.get('tip')),
    ),
    network: String(values.get('retea') ?? ''),
  };
}

let latestChoice = 0;

/** Keeps the choice in the address, and takes what the page says about it from the server. */
async function showChoice(form: HTMLFormElement): Promise<void> {
  latestChoice += 1;
  const own = latestChoice;
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value !== '') query.set(name, String(value));
  const address = `${form.action}?${query}`;
  history.replaceState(null, '', `${address}${location.hash}`);
  const response = await fetch(address).catch(() => null);
  if (response?.ok !== true) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (own !== latestChoice) return;
  document.title = page.title;
  for (const selector of ['[data-part="about"]', '[data-part="list"]', 'a[rel="alternate"]']) {
    const now = page.querySelector(selector);
    if (now !== null) document.querySelector(selector)?.replaceWith(now);
  }
}

/** The prices on a map. */
class PriceLayer {
  readonly #map: Leaflet.Map;
  readonly #settings: MapSettings;
  readonly #status: HTMLElement | null;
  readonly #marks = L.layerGroup();
  readonly #canvas = L.canvas();
  #opener: HTMLElement | null = null;

  constructor(map: Leaflet.Map, settings: MapSettings, status: HTMLElement | null) {
    this.#map = map;
    this.#settings = settings;
    this.#status = status;
    this.#marks.addTo(map);
    map.getContainer().addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') map.closePopup();
    });
    map.on('popupclose', () => this.#buttonOf(this.#opener?.dataset.station)?.focus({ preventScroll: true }));
  }

  /** Draws the choice in the current view, in the order in which the Tab key visits: cheapest first. */
  draw(stations: readonly MapStation[], { fuel, network }: Choice): void {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.station;
    const marks = stations.flatMap((station): Mark[] => {
      const price = station.prices[fuel] ?? null;
      if (price === null || (network !== '' && station.network !== network)) return [];
      return [{ station, price: typeof price === 'number' ? price : null }];
    });
    const { x, y } = this.#map.getSize();
    const placeOf = ({ station }: Mark) => this.#map.latLngToContainerPoint(station);
    const { pills, dots } = cheapestFirst(
      marks,
      placeOf,
      { width: x, height: y },
      { offsets: OFFSETS, names: this.#names() },
    );
    this.#marks.clearLayers();
    this.#drawDots([...pills, ...dots], fuel);
    for (const pill of pills) this.#marks.addLayer(this.#pill(pill, fuel));
    if (focused !== undefined) this.#buttonOf(focused)?.focus({ preventScroll: true });
    this.#describe([...pills, ...dots]);
  }

  /** Where the tiles in view have names. */
  #names(): NameBox[] {
    // Between two zooms the map shows the tiles of the larger one, smaller.
    const zoom = Math.ceil(this.#map.getZoom());
    const given = this.#settings.names[zoom] ?? [];
    const placeOf = (x: number, y: number) => this.#map.latLngToContainerPoint(this.#map.unproject([x, y], zoom));
    return Array.from({ length: given.length / 4 }, (_, index) => {
      const [left = 0, top = 0, width = 0, height = 0] = given.slice(4 * index, 4 * index + 4);
      const [northWest, southEast] = [placeOf(left, top), placeOf(left + width, top + height)];
      return { left: northWest.x, top: northWest.y, right: southEast.x, bottom: southEast.y };
    });
  }

  #drawDots(dots: readonly PlacedMark<Mark>[], fuel: number): void {
    const style = getComputedStyle(this.#map.getContainer());
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const colours: Record<PriceTone, string> = {
      cheap: colour('--map-cheap'),
      usual: '#86908c',
      dear: colour('--map-dear'),
    };
    const radius = dots.length > MANY_DOTS ? RADIUS.many : RADIUS.few;
    // The cheaper ones last, so that they lie on top.
    for (const { mark, tone } of dots.toReversed()) {
      const dot = L.circleMarker(mark.station, {
        renderer: this.#canvas,
        radius,
        weight: 1,
        color: colour('--map-home'),
        fillColor: colours[tone],
        fillOpacity: 1,
      });
      dot.on('click', () => this.#open(mark.station, fuel, null));
      this.#marks.addLayer(dot);
    }
  }

  #pill({ mark: { station, price }, tone, offset }: PlacedPill<Mark>, fuel: number): Leaflet.Marker {
    const button = document.createElement('button');
    const text = priceText(price ?? 0, document.documentElement.lang);
    button.type = 'button';
    button.className = `pill ${tone}`;
    button.textContent = text;
    button.dataset.station = station.slug;
    button.setAttribute(
      'aria-label',
      `${[station.name, station.place].filter((part) => part !== '').join(', ')}: ${text} lei`,
    );
    const [aside, down] = offset;
    const icon = L.divIcon({ html: button, className: 'pill-place', iconSize: [0, 0], iconAnchor: [-aside, -down] });
    const marker = L.marker(station, { icon, keyboard: false, riseOnHover: true });
    // The library's event: it is not fired when a drag of the map ends on the button.
    return marker.on('click', () => this.#open(station, fuel, button, Math.min(0, down)));
  }

  /** @param up Of the popup, so that it stays clear of the price, px. */
  #open(station: MapStation, fuel: number, opener: HTMLElement | null, up = 0): void {
    const content = popupContent(station, fuel, this.#settings);
    const popup = L.popup({ minWidth: 200, maxWidth: 260, offset: [0, up - POPUP_GAP] })
      .setLatLng(station)
      .setContent(content);
    popup.openOn(this.#map);
    popup
      .getElement()
      ?.querySelector('.leaflet-popup-close-button')
      ?.setAttribute('aria-label', this.#settings.texts.close ?? '');
    this.#opener = opener;
    content.querySelector('a')?.focus({ preventScroll: true });
  }

  #buttonOf(slug: string | undefined): HTMLElement | null {
    if (slug === undefined) return null;
    return this.#map.getContainer().querySelector(`[data-station="${CSS.escape(slug)}"]`);
  }

  #describe(inView: readonly PlacedMark<Mark>[]): void {
    if (this.#status === null) return;
    const prices = inView.flatMap(({ mark }) => mark.price ?? []);
    const { lang } = document.documentElement;
    const { inView: words = '', nothing = '' } = this.#settings.texts;
    const [from, to] = [Math.min(...prices), Math.max(...prices)].map((price) => priceText(price, lang));
    const figures: Record<string, string> = {
      count: prices.length.toLocaleString(lang),
      from: from ?? '',
      to: to ?? '',
    };
    this.#status.textContent =
      prices.length === 0 ? nothing : words.replaceAll(/\{(\w+)\}/g, (_, name: string) => figures[name] ?? '');
  }
}

if (typeof document !== 'undefined') {
  const root = document.querySelector<HTMLElement>('.live-map');
  const form = document.querySelector<HTMLFormElement>('.map-filters');
  const frame = root?.querySelector<HTMLElement>('.map-main');
  if (root && frame && form) void startMap(root, frame, form);
}
