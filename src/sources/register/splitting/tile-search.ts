/** Searches a unit's area circle by circle, for the stations that the capped answers left out. */

import { asRow, earthly } from '../../feed/fields.ts';
import { CAP, MAX_RADIUS_M } from '../parsing/catalogue.ts';
import type { WireItems } from '../parsing/parse-json.ts';
import { isUnreadable, type Understood } from '../parsing/parse-rows.ts';
import type { Reply } from '../parsing/reply.ts';
import type { Questions } from '../requests/register-client.ts';
import type { Task } from '../requests/sweep-plan.ts';

import { aroundPoint } from '../requests/targets.ts';
import {
  type Box,
  beyond,
  boxAround,
  circleOf,
  contains,
  grown,
  type Point,
  quarters,
  tilesOf,
  together,
  union,
} from './tiles.ts';

/** How far beyond the stations found others of the same unit are looked for. */
const MARGIN_M = 5_000;
/** No unit is larger; a station given further from the middle of its unit's is misplaced. */
const LARGEST_UNIT_M = 40_000;
/** A circle this small with 50 stations in it is no street of this world. */
const SMALLEST_RADIUS_M = 60;
/** Bounds the work for one unit, whatever the register says. */
const MOST_TILES = 600;

export type SearchParts = {
  readonly questions: Questions;
  readonly understand: (items: WireItems) => Understood;
};

/** Searches circle by circle, quartering those that are full, and widens the area while it still finds the unit's. */
export class TileSearch {
  readonly found: Understood[] = [];
  readonly #task: Task;
  readonly #parts: SearchParts;
  readonly #places: Point[];
  #left = MOST_TILES;

  constructor(task: Task, own: readonly Understood[], parts: SearchParts) {
    this.#task = task;
    this.#parts = parts;
    this.#places = own.flatMap(({ stations }) => stations.flatMap(placeOf));
  }

  /** `area` = the outline drawn by the register, where it draws one. Gives why the search is incomplete, or `null`. */
  async run(area: readonly unknown[]): Promise<string | null> {
    const seeds = boxAround(together([...this.#places, ...area.flatMap(outlinePoint)], LARGEST_UNIT_M));
    if (!seeds) return 'no station with coordinates to search around';
    let covered: Box | null = null;
    for (let wanted = grown(seeds, MARGIN_M); !covered || !contains(covered, wanted); wanted = this.#wanted(wanted)) {
      const next: Box = covered ? union(covered, wanted) : wanted;
      for (const box of covered ? beyond(next, covered) : [next]) {
        const failed = await this.#readAll(tilesOf(box, MAX_RADIUS_M));
        if (failed) return failed;
      }
      covered = next;
    }
    return null;
  }

  #wanted(before: Box): Box {
    const box = boxAround(together(this.#places, LARGEST_UNIT_M));
    return box ? grown(box, MARGIN_M) : before;
  }

  async #readAll(tiles: readonly Box[]): Promise<string | null> {
    for (const tile of tiles) {
      const failed = await this.#read(tile);
      if (failed) return failed;
    }
    return null;
  }

  async #read(tile: Box): Promise<string | null> {
    if (this.#left <= 0) return `more than ${MOST_TILES} searches needed`;
    this.#left -= 1;
    const { lat, lng, radiusM } = circleOf(tile);
    const reply = await this.#parts.questions.ask(aroundPoint(lat, lng, radiusM, this.#task.fuel));
    // Around a point "no such thing" is no known answer: nothing is an empty envelope there.
    const failed = reply.kind === 'no-such' ? 'status 500 around a point' : failureOf(reply);
    if (failed || reply.kind !== 'items') return failed;
    const answer = this.#parts.understand(reply.items);
    if (isUnreadable(answer)) return 'not one row around a point can be understood';
    this.#keep(answer);
    if (!isCapped(reply.items)) return null;
    if (radiusM <= SMALLEST_RADIUS_M) return `${CAP} stations within ${radiusM} m`;
    return this.#readAll(quarters(tile));
  }

  #keep(answer: Understood): void {
    this.found.push(answer);
    for (const station of answer.stations) {
      if (station.siruta === this.#task.siruta) this.#places.push(...placeOf(station));
    }
  }
}

/** Whether an answer may have been cut: what exactly is counted is not known, so either list will do. */
export function isCapped({ stations, products }: WireItems): boolean {
  return stations.length >= CAP || products.length >= CAP;
}

/** Why a part was not read; `null` when it was, be it empty. */
export function failureOf(reply: Reply): string | null {
  if (reply.kind === 'none' || reply.kind === 'wrong-shape') return reply.why;
  return reply.kind === 'refused' ? `status ${reply.status}` : null;
}

function placeOf({ lat, lng }: { lat: number | null; lng: number | null }): Point[] {
  return lat === null || lng === null ? [] : [{ lat, lng }];
}

function outlinePoint(point: unknown): Point[] {
  const place = earthly(asRow(point).Lat, asRow(point).Lon);
  return place ? [place] : [];
}
