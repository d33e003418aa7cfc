/** Addresses gone wrong: parameters, paths, methods, forms of the request target. */

import { encoded, NAUGHTY_ENCODED, NAUGHTY_TEXTS } from './hostile-strings.ts';
import type { Operation } from './operations.ts';
import { utf8 } from './request-draft.ts';
import type { Dice } from './seeded-random.ts';

export type Address = { path: string; query: string[] };

const METHODS = [
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'OPTIONS', 'HEAD', 'PROPFIND', 'QUERY', 'PURGE', 'MKCOL', 'LINK'],
];
const NO_METHODS = [
  'get',
  'BREW',
  'GETT',
  'G',
  'CONNECT',
  'PRI',
  '*',
  'GET\0',
  'Ǵ',
  '"GET"',
  'M-SEARCHX',
  'A'.repeat(300),
];

/** A text that nobody should send, in the form of an address. */
export function naughtyValue(dice: Dice): string {
  if (dice.percent(25)) return Array.from({ length: dice.whole(1, 3) }, () => dice.oneOf(NAUGHTY_ENCODED)).join('');
  return encoded(dice.oneOf(NAUGHTY_TEXTS));
}

type Spoil = (address: Address, operation: Operation, dice: Dice) => Address;

const names = ({ parameters }: Operation) => parameters.filter((each) => each.in === 'query').map(({ name }) => name);
const anyName = (operation: Operation, dice: Dice) => dice.oneOf([...names(operation), 'x', 'lat', 'zeros', 'q']);

const QUERIES: readonly Spoil[] = [
  // One value, or all of them, replaced.
  ({ path, query }, operation, dice) => {
    const name = anyName(operation, dice);
    return { path, query: [...query.filter((each) => !each.startsWith(`${name}=`)), `${name}=${naughtyValue(dice)}`] };
  },
  ({ path }, operation, dice) => ({ path, query: names(operation).map((name) => `${name}=${naughtyValue(dice)}`) }),
  // Twice, missing, extra, as a list, as a member.
  ({ path, query }, operation, dice) => ({ path, query: [...query, ...query, `${anyName(operation, dice)}=1`] }),
  ({ path, query }, _, dice) => ({ path, query: query.filter(() => dice.percent(40)) }),
  ({ path, query }, _, dice) => ({ path, query: [...query, `${naughtyValue(dice)}=${naughtyValue(dice)}`] }),
  ({ path, query }, _, dice) => ({
    path,
    query: query.map((each) => each.replace('=', dice.oneOf(['[]=', '[0]=', '[__proto__]=', '.x=', '%3D', '==', '']))),
  }),
  ({ path, query }, _, dice) => ({
    path,
    query: [query.join(dice.oneOf([';', '&&', '?', '&amp;', '%26', '#', '&=&', ',']))],
  }),
  ({ path }, operation, dice) => ({
    path,
    query: Array.from({ length: 300 }, (_, i) => `${dice.oneOf(['x', anyName(operation, dice)])}${i}=${i}`),
  }),
  ({ path, query }, _, dice) => ({
    path,
    query: [...query, `z=${'y'.repeat(dice.oneOf([7_000, 7_900, 8_100, 15_000, 40_000]))}`],
  }),
];

const PATHS: readonly Spoil[] = [
  // The open segment, or any other.
  ({ path, query }, operation, dice) => {
    const filled = operation.template.replaceAll(/\{\w+\}/g, () => naughtyValue(dice));
    return { path: filled === operation.template ? `${path}/${naughtyValue(dice)}` : filled, query };
  },
  ({ path, query }, _, dice) => ({
    path: path
      .split('/')
      .map((each) => (each !== '' && dice.percent(25) ? naughtyValue(dice) : each))
      .join('/'),
    query,
  }),
  // Letters, slashes, dots, what follows.
  ({ path, query }, _, dice) => ({
    path: dice.percent(50) ? path.toUpperCase() : path.replace(/\/\w/g, (each) => each.toUpperCase()),
    query,
  }),
  ({ path, query }, _, dice) => ({
    path:
      path + dice.oneOf(['/', '//', '/.', '/..', '%2f', '%00', ';x=1', '.json', '%20', '*', ':', '#x', '/%2e%2e', '?']),
    query,
  }),
  ({ path, query }, _, dice) => ({
    path: path.replaceAll('/', () => dice.oneOf(['/', '/', '//', '%2f', '/./', '\\', '/x/../'])),
    query,
  }),
  ({ path, query }, _, dice) => ({
    path: path.replaceAll(/\w/g, (each) => (dice.percent(20) ? `%${each.charCodeAt(0).toString(16)}` : each)),
    query,
  }),
  ({ path, query }, _, dice) => ({
    path:
      dice.oneOf(['', '/api', '/api/', '/api/v1', '/api/v2', '/API/V1', '//', '/..', '/static', '/.git']) +
      path.replace('/api/v1', ''),
    query,
  }),
  ({ path, query }, _, dice) => ({
    path:
      dice.oneOf([
        '/',
        '/docs',
        '/docs/en',
        '/planuri',
        '/en/plans',
        '/livez',
        '/logo/petrom.svg',
        '/api/preturi',
        '/favicon.svg',
        '/robots.txt',
        '/logo/../x',
        '/nope',
      ]) + (dice.percent(30) ? path : ''),
    query,
  }),
  ({ path, query }, _, dice) => ({ path: `${path}/${'a/'.repeat(dice.oneOf([50, 2_000]))}`, query }),
];

/** One or two things wrong with the address. */
export function spoilt(address: Address, operation: Operation, dice: Dice): Address {
  const first = dice.oneOf(dice.percent(65) ? QUERIES : PATHS)(address, operation, dice);
  return dice.percent(20) ? dice.oneOf(dice.percent(50) ? QUERIES : PATHS)(first, operation, dice) : first;
}

/** The target of the first line; every character one byte. */
export function targetOf({ path, query }: Address): string {
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** The same target in a form that few clients write, or none. */
export function oddForm(target: string, dice: Dice): string {
  const forms = [
    `http://pompa.example${target}`,
    `HTTPS://u:p@pompa.example:99999${target}`,
    `http://[::1]${target}`,
    `http:${target}`,
    `ftp://pompa.example${target}`,
    `http://pompa.example`,
    `http:///${target}`,
    `//pompa.example${target}`,
    ...['*', '', '/', '?', '#', '%', 'x:443', '/*', ':', '[::1]:80'],
    target.slice(1),
    `/\\pompa.example${target}`,
    `${target} ${target}`,
    `\t${target}`,
    `${target}\t`,
    utf8(`${target}ș`),
    `${target}\0`,
  ];
  return dice.oneOf(forms);
}

/** A method that the path does not take, or that nobody knows. */
export function otherMethod(own: string, dice: Dice): string {
  if (dice.percent(20)) return utf8(dice.oneOf(NO_METHODS));
  return dice.oneOf(METHODS.filter((method) => method !== own));
}
