/** Journeys as the pages need them; the service passes in the planner that the API has. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Locality } from '../../domain/places/locality.ts';
import type { Point } from '../../domain/point.ts';
import type { DetourFinder } from '../../domain/roads/detour.ts';
import type { Polyline } from '../../domain/roads/line.ts';

/** Who requests a page; the service tells its clients apart by it. */
export type Visitor = {
  readonly headers: IncomingHttpHeaders;
  /** The other end of the connection. */
  readonly peer: { readonly remoteAddress?: string | undefined };
  /** Aborted once the visitor has closed the connection. */
  readonly gone?: AbortSignal;
};

/** Awaits what something outside the process answers, such as the database, while other pages are rendered. */
export type OutsideTurn = <T>(answer: Promise<T>) => Promise<T>;

/** A driving route. */
export type JourneyRoute = {
  readonly km: number;
  readonly minutes: number;
  readonly line: Polyline;
  /** Who must be named where it is shown; `null` = nobody. */
  readonly credit: string | null;
};

export type JourneyPlanner = {
  /** The place that a text means. */
  readonly findPlace: (text: string) => Locality | undefined;
  /** The labels of likely places for a text that means none; none beyond the visitor's budget. */
  readonly suggestPlaces: (text: string, visitor: Visitor) => readonly string[];
  /** Waits for the visitor's turn; what is computed before the next wait has the turn to itself. */
  readonly findRoute: (
    from: Point,
    to: Point,
    visitor: Visitor,
    outsideTurn: OutsideTurn,
  ) => Promise<JourneyRoute | 'no_route'>;
  /** The detours of a journey; `undefined` if the built-in roads do not join its ends. */
  readonly findDetours: (from: Point, to: Point) => Promise<DetourFinder | undefined>;
};
