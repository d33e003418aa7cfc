/** Malformed addresses: parameters, paths, methods and forms of the request target. */

import { encoded, HOSTILE_ENCODED_STRINGS, HOSTILE_STRINGS } from './hostile-strings.ts';
import type { Operation } from './operations.ts';
import { utf8 } from './request-draft.ts';
import type { SeededRandom } from './seeded-random.ts';

export type RequestAddress = { path: string; query: string[] };

const METHODS = [
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'OPTIONS', 'HEAD', 'PROPFIND', 'QUERY', 'PURGE', 'MKCOL', 'LINK'],
];
const INVALID_METHODS = [
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

/** A hostile text in encoded form. */
export function hostileValue(random: SeededRandom): string {
  if (random.percent(25))
    return Array.from({ length: random.integer(1, 3) }, () => random.oneOf(HOSTILE_ENCODED_STRINGS)).join('');
  return encoded(random.oneOf(HOSTILE_STRINGS));
}

type AddressMutation = (address: RequestAddress, operation: Operation, random: SeededRandom) => RequestAddress;

const queryNames = ({ parameters }: Operation) =>
  parameters.filter((each) => each.in === 'query').map(({ name }) => name);
const anyName = (operation: Operation, random: SeededRandom) =>
  random.oneOf([...queryNames(operation), 'x', 'lat', 'zeros', 'q']);

const QUERY_MUTATIONS: readonly AddressMutation[] = [
  // One value or all values replaced.
  ({ path, query }, operation, random) => {
    const name = anyName(operation, random);
    return {
      path,
      query: [...query.filter((each) => !each.startsWith(`${name}=`)), `${name}=${hostileValue(random)}`],
    };
  },
  ({ path }, operation, random) => ({
    path,
    query: queryNames(operation).map((name) => `${name}=${hostileValue(random)}`),
  }),
  // Parameters twice, missing, extra, as a list, as a member.
  ({ path, query }, operation, random) => ({ path, query: [...query, ...query, `${anyName(operation, random)}=1`] }),
  ({ path, query }, _, random) => ({ path, query: query.filter(() => random.percent(40)) }),
  ({ path, query }, _, random) => ({ path, query: [...query, `${hostileValue(random)}=${hostileValue(random)}`] }),
  ({ path, query }, _, random) => ({
    path,
    query: query.map((each) =>
      each.replace('=', random.oneOf(['[]=', '[0]=', '[__proto__]=', '.x=', '%3D', '==', ''])),
    ),
  }),
  ({ path, query }, _, random) => ({
    path,
    query: [query.join(random.oneOf([';', '&&', '?', '&amp;', '%26', '#', '&=&', ',']))],
  }),
  ({ path }, operation, random) => ({
    path,
    query: Array.from({ length: 300 }, (_, i) => `${random.oneOf(['x', anyName(operation, random)])}${i}=${i}`),
  }),
  ({ path, query }, _, random) => ({
    path,
    query: [...query, `z=${'y'.repeat(random.oneOf([7_000, 7_900, 8_100, 15_000, 40_000]))}`],
  }),
];

const PATH_MUTATIONS: readonly AddressMutation[] = [
  // Hostile values in the parameter of the path, or in any segment.
  ({ path, query }, operation, random) => {
    const filled = operation.template.replaceAll(/\{\w+\}/g, () => hostileValue(random));
    return { path: filled === operation.template ? `${path}/${hostileValue(random)}` : filled, query };
  },
  ({ path, query }, _, random) => ({
    path: path
      .split('/')
      .map((each) => (each !== '' && random.percent(25) ? hostileValue(random) : each))
      .join('/'),
    query,
  }),
  // Case, slashes, dots, suffixes.
  ({ path, query }, _, random) => ({
    path: random.percent(50) ? path.toUpperCase() : path.replace(/\/\w/g, (each) => each.toUpperCase()),
    query,
  }),
  ({ path, query }, _, random) => ({
    path:
      path +
      random.oneOf(['/', '//', '/.', '/..', '%2f', '%00', ';x=1', '.json', '%20', '*', ':', '#x', '/%2e%2e', '?']),
    query,
  }),
  ({ path, query }, _, random) => ({
    path: path.replaceAll('/', () => random.oneOf(['/', '/', '//', '%2f', '/./', '\\', '/x/../'])),
    query,
  }),
  ({ path, query }, _, random) => ({
    path: path.replaceAll(/\w/g, (each) => (random.percent(20) ? `%${each.charCodeAt(0).toString(16)}` : each)),
    query,
  }),
  ({ path, query }, _, random) => ({
    path:
      random.oneOf(['', '/api', '/api/', '/api/v1', '/api/v2', '/API/V1', '//', '/..', '/static', '/.git']) +
      path.replace('/api/v1', ''),
    query,
  }),
  ({ path, query }, _, random) => ({
    path:
      random.oneOf([
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
      ]) + (random.percent(30) ? path : ''),
    query,
  }),
  ({ path, query }, _, random) => ({ path: `${path}/${'a/'.repeat(random.oneOf([50, 2_000]))}`, query }),
];

/** Makes one or two changes to the address. */
export function mutatedAddress(address: RequestAddress, operation: Operation, random: SeededRandom): RequestAddress {
  const first = random.oneOf(random.percent(65) ? QUERY_MUTATIONS : PATH_MUTATIONS)(address, operation, random);
  return random.percent(20)
    ? random.oneOf(random.percent(50) ? QUERY_MUTATIONS : PATH_MUTATIONS)(first, operation, random)
    : first;
}

/** The request target; every character is one byte. */
export function targetOf({ path, query }: RequestAddress): string {
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** The same target in an unusual or invalid form. */
export function unusualTarget(target: string, random: SeededRandom): string {
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
  return random.oneOf(forms);
}

/** A method that the path does not allow, or an unknown one. */
export function wrongMethod(own: string, random: SeededRandom): string {
  if (random.percent(20)) return utf8(random.oneOf(INVALID_METHODS));
  return random.oneOf(METHODS.filter((method) => method !== own));
}
