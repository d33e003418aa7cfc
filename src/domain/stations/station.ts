/** A physical station as the service knows it, whatever sources speak of it. */
import type { Point } from '../point.ts';

export type Station = {
  /** Our stable identifier: 12 hex digits, kept for ever. Rule 28. */
  readonly id: string;
  /** Slug and display name of the network. */
  readonly network: string;
  readonly brand: string;
  readonly address: string;
  /** WGS84 degrees as the source gives them; `null` when it gives none. */
  readonly lat: number | null;
  readonly lng: number | null;
  /** Where other sources put it, best known first: for when these coordinates prove doubtful. */
  readonly alternatives: readonly Point[];
  /** SIRUTA code of the declared administrative unit. */
  readonly siruta: number | null;
  /** Slug of the locality an operator named; wins over `siruta`. */
  readonly locality: string | null;
  readonly hours: string | null;
  readonly services: readonly string[];
  readonly phone: string | null;
  /** Only on manually added stations. */
  readonly manual: ManualDetails | null;
};

export type ManualDetails = {
  readonly name: string;
  /** Whether a franchisee runs the station; `null` when not said. */
  readonly franchise: boolean | null;
  readonly priceNote: string | null;
};
