/** What a server says of the publication that it relays to its followers, before they ask for the parts of it. */
import { createHash } from 'node:crypto';
import type { CollectionSettings } from './collection-settings.ts';

/** Where followers ask; a part is below it, under its digest. Outside of the contract of the API. */
export const PUBLICATION_PATH = '/internal/publication';

/**
 * Increased when the content of a part (see `SNAPSHOT_FORMAT`), or of the announcement, changes: the reader of another
 * format refuses it.
 */
export const PUBLICATION_FORMAT = 'pompa-publication-2';

/** `facts` change with every publication; `history` (90 days of each station) and `statistics` once a day. */
export const PART_NAMES = ['facts', 'history', 'statistics'] as const;
export type PartName = (typeof PART_NAMES)[number];

/** A part as it is sent: its name below `PUBLICATION_PATH` is the SHA-256 of its bytes, in hexadecimal digits. */
export type AnnouncedPart = { readonly name: PartName; readonly digest: string; readonly bytes: number };

/** Which of two publications is the later one. */
export type PublicationPlace = {
  readonly version: number;
  /** Epoch ms; `null` = nothing was published yet. */
  readonly publishedAt: number | null;
};

export type PublicationAnnouncement = PublicationPlace & {
  readonly format: string;
  /** None before the first publication; the statistics follow a little later than the rest. */
  readonly parts: readonly AnnouncedPart[];
  /** The processes that it came through, the one that read the database first and the one that relays it last. */
  readonly servers: readonly string[];
  /** Whether the first of them read it from a database since it started; `false` = from its disk. */
  readonly isFromDatabase: boolean;
  /** Whether one of them found that it follows itself. */
  readonly isLoop: boolean;
  /** `settingsDigest` of the giver: with other settings a follower judges the same facts differently. */
  readonly settings: string;
};

/** A longer chain is a loop, or delays each publication by as many downloads. */
export const MAX_CHAINED_SERVERS = 8;

/**
 * Whether a publication is later than another. The versions of a restored database begin again from an earlier number:
 * what it publishes then is later all the same, by its time.
 */
export function isLaterPublication(one: PublicationPlace, other: PublicationPlace): boolean {
  const [at, otherAt] = [one.publishedAt ?? 0, other.publishedAt ?? 0];
  return at === otherAt ? one.version > other.version : at > otherAt;
}

/** Sixteen hexadecimal digits that identify the settings by which prices are judged. */
export function settingsDigest({ ranges, inService }: Pick<CollectionSettings, 'ranges' | 'inService'>): string {
  const sorted = Object.entries(ranges).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([sorted, inService === null ? null : [...inService].sort()]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
