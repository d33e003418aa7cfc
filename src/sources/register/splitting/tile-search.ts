/** Searches a unit's area circle by circle for the stations that the capped answers left out. */

import { asObject, validCoordinates } from '../../feed/fields.ts';
import type { RegisterItems } from '../parsing/parse-json.ts';
import { isUnreadable, type ParsedRows } from '../parsing/parse-rows.ts';
import { MAX_RADIUS_M, MAX_RECORDS } from '../parsing/register-ids.ts';
import type { RegisterReply } from '../parsing/register-reply.ts';
import type { RegisterSession } from '../requests/register-session.ts';
import type { UnitTask } from '../requests/sweep-plan.ts';

import { aroundPoint } from '../requests/targets.ts';
import {
  type BoundingBox,
  boxAround,
  contains,
  enclosingCircle,
  expanded,
  quarters,
  subtract,
  type TilePoint,
  tilesOf,
  union,
  withoutOutliers,
} from './tiles.ts';

/** How far beyond the stations found the search continues. */
const MARGIN_M = 5_000;
/** No unit is larger; a station further than this from the median of its unit's stations is misplaced. */
const MAX_UNIT_SPAN_M = 40_000;
/** The search does not split circles below this radius: no street has 50 stations. */
const MIN_RADIUS_M = 60;
/** Bounds the work for one unit, whatever the register answers. */
const MAX_TILES = 600;

export type SearchDependencies = {
  readonly session: RegisterSession;
  readonly parseRows: (items: RegisterItems) => ParsedRows;
};

/** Searches circle by circle, quarters full ones, and widens the area while it finds more of the unit's stations. */
export class TileSearch {
  readonly found: ParsedRows[] = [];
  readonly #task: UnitTask;
  readonly #dependencies: SearchDependencies;
  readonly #points: TilePoint[];
  #tilesLeft = MAX_TILES;

  constructor(task: UnitTask, own: readonly ParsedRows[], dependencies: SearchDependencies) {
    this.#task = task;
    this.#dependencies = dependencies;
    this.#points = own.flatMap(({ stations }) => stations.flatMap(pointOf));
  }

  /** `area` = the outline from the register, if any. Returns why the search is incomplete, or `null`. */
  async run(area: readonly unknown[]): Promise<string | null> {
    const seeds = boxAround(withoutOutliers([...this.#points, ...area.flatMap(outlinePoint)], MAX_UNIT_SPAN_M));
    if (!seeds) return 'no station with coordinates to search around';
    let covered: BoundingBox | null = null;
    for (
      let wanted = expanded(seeds, MARGIN_M);
      !covered || !contains(covered, wanted);
      wanted = this.#nextArea(wanted)
    ) {
      const next: BoundingBox = covered ? union(covered, wanted) : wanted;
      for (const box of covered ? subtract(next, covered) : [next]) {
        const failed = await this.#readAll(tilesOf(box, MAX_RADIUS_M));
        if (failed) return failed;
      }
      covered = next;
    }
    return null;
  }

  #nextArea(before: BoundingBox): BoundingBox {
    const box = boxAround(withoutOutliers(this.#points, MAX_UNIT_SPAN_M));
    return box ? expanded(box, MARGIN_M) : before;
  }

  async #readAll(tiles: readonly BoundingBox[]): Promise<string | null> {
    for (const tile of tiles) {
      const failed = await this.#read(tile);
      if (failed) return failed;
    }
    return null;
  }

  async #read(tile: BoundingBox): Promise<string | null> {
    if (this.#tilesLeft <= 0) return `more than ${MAX_TILES} searches needed`;
    this.#tilesLeft -= 1;
    const { lat, lng, radiusM } = enclosingCircle(tile);
    const reply = await this.#dependencies.session.request(aroundPoint(lat, lng, radiusM, this.#task.fuel));
    // Around a point "no such thing" is an unknown answer: an empty result is an empty envelope there.
    const failed = reply.kind === 'no-such' ? 'status 500 around a point' : failureOf(reply);
    if (failed || reply.kind !== 'items') return failed;
    const answer = this.#dependencies.parseRows(reply.items);
    if (isUnreadable(answer)) return 'no row around a point can be parsed';
    this.#addAnswer(answer);
    if (!isCapped(reply.items)) return null;
    if (radiusM <= MIN_RADIUS_M) return `${MAX_RECORDS} stations within ${radiusM} m`;
    return this.#readAll(quarters(tile));
  }

  #addAnswer(answer: ParsedRows): void {
    this.found.push(answer);
    for (const station of answer.stations) {
      if (station.siruta === this.#task.siruta) this.#points.push(...pointOf(station));
    }
  }
}

/** Whether an answer may have been cut. It is unknown which list the register counts, so either one counts. */
export function isCapped({ stations, products }: RegisterItems): boolean {
  return stations.length >= MAX_RECORDS || products.length >= MAX_RECORDS;
}

/** Why a part was not read; `null` if it was read, even if empty. */
export function failureOf(reply: RegisterReply): string | null {
  if (reply.kind === 'none' || reply.kind === 'wrong-shape') return reply.why;
  return reply.kind === 'http-error' ? `status ${reply.status}` : null;
}

function pointOf({ lat, lng }: { lat: number | null; lng: number | null }): TilePoint[] {
  return lat === null || lng === null ? [] : [{ lat, lng }];
}

function outlinePoint(point: unknown): TilePoint[] {
  const place = validCoordinates(asObject(point).Lat, asObject(point).Lon);
  return place ? [place] : [];
}
