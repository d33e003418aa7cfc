/** A physical station as the service knows it, combined from all sources. */
import type { Point } from '../point.ts';

export type Station = {
  /** Pompa's own id, whatever ids the sources use: 12 hex digits, kept for ever. Rule 28. */
  readonly id: string;
  /** Slug and display name of the network. */
  readonly network: string;
  readonly brand: string;
  readonly address: string;
  /** WGS84 degrees as the source gives them; `null` when it gives none. */
  readonly lat: number | null;
  readonly lng: number | null;
  /** Where other sources place it, most trusted first: used if these coordinates are doubtful. */
  readonly alternatives: readonly Point[];
  /** SIRUTA code (the state's number) of the administrative unit that a source declares. */
  readonly siruta: number | null;
  /** Slug of the locality that a source declares by name; takes precedence over `siruta`. */
  readonly locality: string | null;
  readonly hours: string | null;
  readonly services: readonly string[];
  readonly phone: string | null;
  /** Only on manually added stations. */
  readonly manual: ManualDetails | null;
};

export type ManualDetails = {
  readonly name: string;
  /** Whether a franchisee runs the station; `null` when unknown. */
  readonly franchise: boolean | null;
  readonly priceNote: string | null;
};
