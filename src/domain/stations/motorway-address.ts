/** Stations on motorways have no address of a street: they are known by a motorway, a kilometre and a direction. */
import { foldName } from '../places/place-names.ts';

/** Where on a motorway an address is, as far as it says so. */
export type MotorwayPosition = {
  /** The number of the motorway: `A1`; `null` = not said. */
  readonly ref: string | null;
  /** The kilometre post: 68.5 for `km 68+500`; `null` = not said. */
  readonly km: number | null;
  /** The town that traffic on its side drives to, as written; `null` = not said. */
  readonly towards: string | null;
};

/** The position of a service area, which drivers reach without leaving the motorway; `null` = an ordinary address. */
export function motorwayPosition(address: string): MotorwayPosition | null {
  const found = MOTORWAY.exec(address);
  const before = address.slice(0, found?.index);
  if (found === null || OTHER_ROAD.test(before) || TOWARDS_ROAD.test(before)) return null;
  const number = found.groups?.first ?? found.groups?.second;
  const km = KILOMETRE.exec(address);
  const ref = number === undefined ? refOfName(address.slice(found.index, km?.index)) : `A${Number(number)}`;
  // A road without a number or a name is one only with a kilometre.
  if (ref === null && km === null) return null;
  return { ref, km: km === null ? null : Number(`${km[1]}.${km[2] ?? 0}`), towards: directionIn(address) };
}

/** Whether an address is that of a service area. */
export function isMotorwayAddress(address: string): boolean {
  return motorwayPosition(address) !== null;
}

/** `Autostrada A1`, `A2 km 65`, `Autostrada Soarelui`; `Autostrăzii` is the name of streets. */
const MOTORWAY =
  /\bautostrad[aă](?![\p{L}])(?:[\s,.-]*A[\s-]?(?<first>\d{1,2})\b)?|\bA[\s-]?(?<second>\d{1,2})\b(?=[\s,.-]*km)/iu;
/** What makes the motorway the name of a street, a building, or a neighbour of another road. */
const OTHER_ROAD =
  /(?<!\p{L})(?:str|strada|bd|bld|bvd|b-?dul|bulevardul|[sș]os|[sș]oseaua|calea|aleea|intrarea|bl|bloc|blocul|sc|scara|lot|hala|D[NJC])(?!\p{L})/iu;
/** A station by the way to a motorway is not on it. */
const TOWARDS_ROAD =
  /(?<!\p{L})(?:spre|l[aâ]ng[aă]|ie[sș]ire\p{L}*|intersec\p{L}*|nod\p{L}*|acces|bretea)[\s\p{L}.,:-]*$/iu;
/** `km 68+500`, `KM. 36`, `km 49,9`. */
const KILOMETRE = /\bkm\.?\s*(\d{1,3})(?:\s?(?:\+\s?|[.,])(\d{1,3}))?(?!\d)/i;
/** `sens București-Pitești`, `sensul de mers spre Constanța`, `direcția Nădlac`. */
const DIRECTION =
  /\b(?:sens(?:ul)?(?: de mers)?|direc[tț]i[ae])[\s.:,]*(?:(?:de )?(?:spre|c[aă]tre|dinspre \p{L}+ spre)\s+)?(?<way>\p{L}[\p{L} .–-]*)/iu;

function directionIn(address: string): string | null {
  const way = DIRECTION.exec(address)?.groups?.way;
  // Of a pair of towns the second is ahead; a hyphen inside a name (`Cluj-Napoca`) is no pair.
  const town = way
    ?.replaceAll(/cluj-napoca/gi, 'Cluj')
    .split(/\s*[–-]\s*/)
    .at(-1);
  return town?.replace(/[\s.–-]+$/, '') || null;
}

/** Names by which motorways are known, folded, and the towns along each, two of which name it. */
const NAMES: Readonly<Record<string, string>> = { soarelui: 'A2', transilvania: 'A3', moldova: 'A7', moldovei: 'A7' };
const TOWNS: readonly (readonly [ref: string, towns: readonly string[]])[] = [
  [
    'A1',
    [
      'bucuresti',
      'pitesti',
      'curtea de arges',
      'sibiu',
      'sebes',
      'orastie',
      'deva',
      'lugoj',
      'timisoara',
      'arad',
      'nadlac',
    ],
  ],
  ['A2', ['bucuresti', 'lehliu', 'fetesti', 'cernavoda', 'constanta']],
  [
    'A3',
    ['bucuresti', 'ploiesti', 'brasov', 'targu mures', 'campia turzii', 'turda', 'gilau', 'cluj', 'oradea', 'bors'],
  ],
  ['A7', ['ploiesti', 'buzau', 'ramnicu sarat', 'focsani', 'adjud', 'bacau', 'pascani']],
  ['A10', ['sebes', 'alba iulia', 'aiud', 'turda']],
];

function refOfName(text: string): string | null {
  const folded = foldName(text);
  const named = Object.entries(NAMES).find(([name]) => folded.includes(name));
  if (named !== undefined) return named[1];
  const known = TOWNS.filter(([, towns]) => towns.filter((town) => folded.includes(town)).length >= 2);
  return known.length === 1 ? (known[0]?.[0] ?? null) : null;
}
