/** Reads the announcement of a server that this one follows. */
import {
  type AnnouncedPart,
  MAX_CHAINED_SERVERS,
  PART_NAMES,
  PUBLICATION_FORMAT,
  type PublicationAnnouncement,
} from '../../domain/prices/publication-announcement.ts';
import { isObject } from '../../json/is-object.ts';
import { tryParseJsonBytes } from '../../json/try-parse-json.ts';
import { MAX_PART_BYTES } from './publication-parts.ts';

/** The announcement, or why it is none, as a clause about whoever sent it. */
export function readAnnouncement(body: Buffer): PublicationAnnouncement | { readonly wrong: string } {
  const value = tryParseJsonBytes(body);
  if (!isObject(value) || typeof value.format !== 'string') return { wrong: 'what answers there is not Pompa' };
  if (value.format !== PUBLICATION_FORMAT)
    return {
      wrong: `it sends ${JSON.stringify(value.format.slice(0, 40))}, and this version reads ${PUBLICATION_FORMAT}`,
    };
  const { version, publishedAt, parts, servers, isFromDatabase, isLoop, settings } = value;
  const isWhole =
    isCount(version) &&
    (publishedAt === null || isCount(publishedAt)) &&
    isListOf(parts, isPart, PART_NAMES.length) &&
    isListOf(servers, (id) => typeof id === 'string' && /^[0-9a-f]{16}$/.test(id), MAX_CHAINED_SERVERS) &&
    typeof isFromDatabase === 'boolean' &&
    typeof isLoop === 'boolean' &&
    typeof settings === 'string' &&
    hasParts(version, parts as readonly AnnouncedPart[]);
  return isWhole ? (value as unknown as PublicationAnnouncement) : { wrong: 'its announcement is damaged' };
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

function isListOf(value: unknown, test: (item: unknown) => boolean, most: number): boolean {
  return Array.isArray(value) && value.length <= most && value.every(test);
}

function isPart(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { name, digest, bytes } = value;
  const isKnown = PART_NAMES.some((each) => each === name) && typeof digest === 'string';
  return isKnown && /^[0-9a-f]{64}$/.test(digest) && isCount(bytes) && (bytes as number) <= MAX_PART_BYTES;
}

/** A publication has facts and history, and nothing twice. */
function hasParts(version: unknown, parts: readonly AnnouncedPart[]): boolean {
  const names = new Set(parts.map(({ name }) => name));
  return names.size === parts.length && (version === 0 || (names.has('facts') && names.has('history')));
}
