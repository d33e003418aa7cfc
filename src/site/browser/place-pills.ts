/** Which marks of a map show their price. Runs on the server and in the browser, and so imports nothing. */

/** A station on a map; `price` in any unit, `null` = it has none that may be compared. */
export type PricedMark = { readonly price: number | null };

/** The cheapest tenth of the prices in view, the dearest tenth, and all others. */
export type PriceTone = 'cheap' | 'usual' | 'dear';

/** From the place of a mark to the middle of its price, px. */
export type PillOffset = readonly [aside: number, down: number];

/** A mark at its place in the view, px. */
export type PlacedMark<M> = { readonly mark: M; readonly x: number; readonly y: number; readonly tone: PriceTone };

/** One whose price is shown, at that offset. */
export type PlacedPill<M> = PlacedMark<M> & { readonly offset: PillOffset };

/** Where prices may stand: the first of the offsets at which they cover no name; on their places without it. */
export type PillPlaces = { readonly offsets: readonly PillOffset[]; readonly names: readonly NameBox[] };

/** The box of a name in the view, px. */
export type NameBox = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

/** The marks in view: prices, cheapest first, and dots for all that have no room or no price. */
export type PlacedMarks<M> = { readonly pills: readonly PlacedPill<M>[]; readonly dots: readonly PlacedMark<M>[] };

/** Size of the room that a price takes, with its margin, px. */
export const PILL_CELL = { width: 50, height: 24 };
/** The price alone, px. */
const PILL = { width: 46, height: 20 };
const ON_ITS_PLACE: PillPlaces = { offsets: [[0, 0]], names: [] };

/**
 * Gives room to the cheapest first: a mark shows its price where no cheaper one has taken the room, no name is covered
 * and the view does not cut it, else a dot. Equal prices keep the order of `marks`. `projection` gives the place in the
 * view, px from its top left corner.
 */
export function cheapestFirst<M extends PricedMark>(
  marks: readonly M[],
  projection: (mark: M) => { readonly x: number; readonly y: number },
  view: { readonly width: number; readonly height: number },
  { offsets, names }: PillPlaces = ON_ITS_PLACE,
): PlacedMarks<M> {
  const inView = marks
    .map((mark) => ({ mark, ...projection(mark) }))
    .filter(({ x, y }) => x >= 0 && y >= 0 && x <= view.width && y <= view.height);
  const priceOf = ({ mark }: { mark: M }) => mark.price ?? Number.POSITIVE_INFINITY;
  inView.sort((a, b) => (priceOf(a) === priceOf(b) ? 0 : priceOf(a) - priceOf(b)));
  const toneOf = priceTones(inView.flatMap(({ mark }) => mark.price ?? []));
  const room = new PillRoom();
  const placed = inView.map((one) => ({ ...one, tone: toneOf(one.mark.price) }));
  const pills: PlacedPill<M>[] = [];
  const dots: PlacedMark<M>[] = [];
  for (const one of placed) {
    const possible = one.mark.price === null ? [] : offsets;
    const offset = possible.find(([aside, down]) => {
      const middle = { x: one.x + aside, y: one.y + down };
      return isWhole(middle, view) && !names.some((name) => covers(middle, name)) && room.take(middle.x, middle.y);
    });
    if (offset === undefined) dots.push(one);
    else pills.push({ ...one, offset });
  }
  return { pills, dots };
}

function covers({ x, y }: { x: number; y: number }, { left, top, right, bottom }: NameBox): boolean {
  const [aside, above] = [PILL.width / 2, PILL.height / 2];
  return x + aside > left && x - aside < right && y + above > top && y - above < bottom;
}

function isWhole({ x, y }: { x: number; y: number }, view: { width: number; height: number }): boolean {
  const [aside, above] = [PILL_CELL.width / 2, PILL_CELL.height / 2];
  return x >= aside && x <= view.width - aside && y >= above && y <= view.height - above;
}

/** @param sorted the prices in view, lowest first. If all are about equal, none is cheap or dear. */
function priceTones(sorted: readonly number[]): (price: number | null) => PriceTone {
  const tenth = Math.ceil(sorted.length / 10) - 1;
  const cheap = sorted[tenth] ?? Number.NEGATIVE_INFINITY;
  const dear = sorted.at(-1 - tenth) ?? Number.POSITIVE_INFINITY;
  return (price) => {
    if (price === null || cheap === dear) return 'usual';
    if (price <= cheap) return 'cheap';
    return price >= dear ? 'dear' : 'usual';
  };
}

/** The rooms taken so far, by cells of the size of one: two that overlap lie in the same or in adjacent cells. */
class PillRoom {
  readonly #taken = new Map<string, { readonly x: number; readonly y: number }[]>();

  /** Takes the room around a point; `false` = some of it is taken. */
  take(x: number, y: number): boolean {
    const [column, row] = [Math.floor(x / PILL_CELL.width), Math.floor(y / PILL_CELL.height)];
    for (let c = column - 1; c <= column + 1; c += 1) {
      for (let r = row - 1; r <= row + 1; r += 1) {
        if (this.#taken.get(`${c} ${r}`)?.some((other) => overlap(other, { x, y }))) return false;
      }
    }
    const key = `${column} ${row}`;
    this.#taken.set(key, [...(this.#taken.get(key) ?? []), { x, y }]);
    return true;
  }
}

function overlap(a: { x: number; y: number }, b: { x: number; y: number }): boolean {
  return Math.abs(a.x - b.x) < PILL_CELL.width && Math.abs(a.y - b.y) < PILL_CELL.height;
}
