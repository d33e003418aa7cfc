/** Who may import whom, where words and clocks belong, how files look. Each check is shown a breach too. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Files, filesUnder, importsOf, projectFiles, withoutComments, withoutTests } from './project-files.ts';

/** Which folders and packages a folder of `src` may import, beside itself and what Node brings. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  concurrency: [],
  algorithms: [],
  json: [],
  files: [],
  domain: ['algorithms', 'node:crypto', 'node:zlib'],
  geodata: ['domain'],
  config: ['domain', 'json', 'css-select'],
  clients: ['domain', 'concurrency', 'json', 'undici', 'web-push'],
  sources: [
    ...['domain', 'clients', 'concurrency', 'algorithms', 'files', 'json'],
    ...['@rgrove/parse-xml', 'css-select', 'csv-parse', 'htmlparser2'],
  ],
  store: ['domain', 'files', 'concurrency', 'kysely', 'pg', 'pg-copy-streams', 'tar-stream', 'typebox'],
  snapshot: ['domain', 'algorithms'],
  worker: ['domain', 'sources', 'clients', 'store', 'snapshot', 'concurrency', 'files', 'kysely'],
  api: ['domain', 'snapshot', 'store', 'clients', 'concurrency', 'algorithms', 'json', 'fastify', 'typebox'],
  site: ['domain', 'snapshot'],
  simulation: ['domain', 'sources'],
  app: [
    ...['api', 'clients', 'config', 'domain', 'files', 'geodata', 'simulation', 'site', 'snapshot', 'sources'],
    ...['concurrency', 'store', 'worker', 'pino', 'prom-client'],
  ],
  cli: [
    ...['api', 'app', 'clients', 'concurrency', 'config', 'domain', 'geodata', 'simulation', 'snapshot', 'sources'],
    ...['store', 'worker'],
    'kysely',
  ],
  'main.ts': ['app', 'cli', 'config', 'store', 'worker'],
};
/** Folders that compute only: not even Node's own modules, but for those named above. */
const PURE = ['domain', 'snapshot', 'algorithms', 'json'];
/** What they may take from those: functions of their arguments alone. */
const PURE_NAMES = ['hash', 'createHash', 'crc32'];

/** Sub-folders from the innermost outwards, `.` for the files beside them: each may import those named before it. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  api: [
    ...['request', 'encoding', 'contract', 'response', 'rendering', 'access', 'declaration', 'endpoints'],
    ...['http/connection', 'http/fast-path', 'http'],
  ],
  domain: ['.', 'places', 'reports', 'stations', 'prices', 'roads', 'alerts', 'access'],
  store: [
    ...['.', 'embedded', 'connection', 'limits', 'keys', 'prices', 'reviews', 'alerts', 'germany', 'backup'],
    'maintenance',
  ],
  sources: [
    ...['.', 'feed', 'archive', 'manual', 'register/parsing', 'register/requests', 'register/splitting', 'register'],
    ...['rompetrol', 'locators', 'price-list'],
  ],
  clients: ['http', 'routing', '.'],
  worker: ['leases', 'collection', 'explain', 'alerts', 'serving', 'replay', '.'],
  app: ['.', 'demo'],
  cli: ['reports', '.', 'doctor'],
  site: ['html', 'docs', 'pages'],
  simulation: ['country', 'register', 'feeds', '.'],
};
const MOST_FILES_IN_A_FOLDER = 20;

const files = projectFiles();
const source = filesUnder(files, 'src/', '.ts');
const production = withoutTests(source);
/** Without unit tests and test files. */
const code = withoutTests(filesUnder(files, '', '.ts'));

holds('every import goes in a direction that the table of imports allows', production, forbiddenImports, {
  'src/domain/a.ts': `import { b } from '../store/b.ts';`,
  'src/api/b.ts': `import pg from 'pg';`,
  'src/snapshot/c.ts': `import { readFileSync } from 'node:fs';`,
  'src/store/d.ts': `export { main } from '../main.ts';`,
  'src/site/e.ts': `const late = await import('../worker/collect.ts');`,
  'src/worker/f.ts': `import { world } from '../builders.ts';`,
  'src/cellar/g.ts': `import { FUELS } from '../domain/fuel.ts';`,
});

holds('folders that compute only take pure functions from Node, by name', production, impureNames, {
  'src/domain/a.ts': `import { hash, randomBytes } from 'node:crypto';`,
  'src/domain/b.ts': `import zlib from 'node:zlib';`,
  'src/snapshot/c.ts': `import * as crypto from 'node:crypto';`,
});

holds('no module imports itself by a detour, not even a type', source, cycles, {
  'src/domain/a.ts': `import { b } from './b.ts';`,
  'src/domain/b.ts': `import type { C } from './c.ts';`,
  'src/domain/c.ts': `import { a } from './a.ts';`,
});

holds('a sub-folder imports only those that stand before it in its layers', production, againstLayers, {
  'src/api/response/a.ts': `import { b } from '../endpoints/b.ts';`,
  'src/domain/places/b.ts': `import { c } from '../prices/c.ts';`,
  'src/store/c.ts': `import { d } from './connection/d.ts';`,
  'src/api/cellar/d.ts': '',
});

holds('no folder imports itself by a detour, at any depth', production, folderCycles, {
  'src/domain/a/x.ts': `import { y } from '../b/c/y.ts';`,
  'src/domain/b/z.ts': `import { x } from '../a/x.ts';`,
});

holds('no test imports a benchmark, and the program imports neither', files, benchmarkImports, {
  'test/a.test.ts': `import { start } from '../bench/harness/load.ts';`,
  'test/support/b.ts': `import '../../bench/http.ts';`,
  'src/domain/c.test.ts': `import { median } from '../../bench/harness/costs.ts';`,
});

holds('no folder of the program, the tests or the benchmarks holds more than 20 source files', code, fullFolders, {
  ...Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`test/support/f${n}.ts`, ''])),
  ...Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`src/domain/full/f${n}.ts`, ''])),
});

holds('no folder has a name that says nothing', files, idleNames, {
  'src/utils/text.ts': '',
  'src/api/Helpers/a.ts': '',
  'test/common/b.ts': '',
});

holds('no file only passes on what others export', source, barrels, {
  'src/domain/index.ts': 'export const one = 1;',
  'src/api/all.ts': `export * from './door.ts';`,
  'src/api/some.ts': `/** All. */\nexport { Door } from './door.ts';\nexport { Body } from './body.ts';\n`,
});

holds('rules are told the time: domain and snapshot read no clock and no dice', production, clocks, {
  'src/domain/a.ts': 'const now = Date.now();',
  'src/domain/b.ts': 'const now = new Date();',
  'src/snapshot/c.ts': 'const now = Temporal.Now.instant();',
  'src/domain/d.ts': 'const chance = Math.random();',
});

holds('only the store speaks SQL', production, sqlOutsideStore, {
  'src/worker/a.ts': `await db.selectFrom('stations').execute();`,
  'src/api/b.ts': 'await sql`select 1`.execute(db);',
  'src/app/c.ts': `await pool.query('select 1');`,
});

holds('the contract’s Romanian stays at the edge', production, romanianInside, {
  'src/domain/a.ts': 'const pretMinim = 1;',
  'src/store/b.ts': `const column = 'motiv_nesigur';`,
  'src/snapshot/c.ts': 'type Benzina = number;',
});

holds('nothing is left for later, no test is left out or alone', files, leftovers, {
  'src/a.ts': `// ${'TO'}DO: think`,
  'docs/B.md': `${'FIX'}ME`,
  'test/c.test.ts': `test.${'only'}('one', () => {});`,
  'test/d.test.ts': `describe('one', { ${'skip'}: true }, () => {});`,
});

holds('no file is longer than 300 lines, no test file than 500', filesUnder(files, '', '.ts'), tooLong, {
  'src/domain/a.ts': '\n'.repeat(301),
  'src/domain/a.test.ts': '\n'.repeat(501),
});

/** The project has no complaint, and each file of the breach has one, so that the check is known to bite. */
function holds(
  guarantee: string,
  project: Files,
  check: (files: Files) => string[],
  breach: Readonly<Record<string, string>>,
): void {
  describe(guarantee, () => {
    test('in this project', () => assert.deepEqual(check(project), []));
    test('and a breach is found', () => {
      const complaints = check(new Map(Object.entries(breach)));
      for (const name of Object.keys(breach)) {
        assert.ok(
          complaints.some((complaint) => complaint.includes(name)),
          `nothing was said of ${name}`,
        );
      }
    });
  });
}

function forbiddenImports(all: Files): string[] {
  return [...all].flatMap(([name, text]) => {
    const folder = folderOf(name);
    const allowed = MAY_IMPORT[folder];
    if (allowed === undefined) return [`${name}: ${folder} is in no table of imports`];
    return importsOf(name, text)
      .map((target) => ({ target, what: target.startsWith('src/') ? folderOf(target) : packageOf(target) }))
      .filter(({ what }) => what !== folder && !allowed.includes(what))
      .filter(({ what }) => !what.startsWith('node:') || PURE.includes(folder))
      .map(({ target }) => `${name} imports ${target}`);
  });
}

function impureNames(all: Files): string[] {
  const pure = [...all].filter(([name]) => PURE.includes(folderOf(name)));
  return pure.flatMap(([name, text]) =>
    [...withoutComments(text).matchAll(/^import\s+(?:\{([^}]*)\}|[^;'"]*?)\s*from\s+'node:[^']*'/gm)]
      .flatMap(([statement, names]) => names?.split(',').map((each) => each.trim()) ?? [statement])
      .filter((taken) => taken !== '' && !PURE_NAMES.includes(taken))
      .map((taken) => `${name} takes ${taken}`),
  );
}

/** The folder below `src/`, or the file itself where it lies there directly. */
function folderOf(name: string): string {
  return name.split('/')[1] ?? name;
}

function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}

function cycles(all: Files): string[] {
  return cyclesOf(new Map([...all].map(([name, text]) => [name, importsOf(name, text)])));
}

function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (name: string, trail: readonly string[]) => {
    const start = trail.indexOf(name);
    if (start >= 0) found.push([...trail.slice(start), name].join(' → '));
    if (start >= 0 || done.has(name)) return;
    for (const next of graph.get(name) ?? []) visit(next, [...trail, name]);
    done.add(name);
  };
  for (const name of graph.keys()) visit(name, []);
  return found;
}

/** The sub-folder as its layers name it. */
function layerOf(name: string): string {
  return name.split('/').slice(2, -1).join('/') || '.';
}

function againstLayers(all: Files): string[] {
  return [...all].flatMap(([name, text]) => {
    const folder = folderOf(name);
    const layers = LAYERS[folder];
    if (layers === undefined) return [];
    const own = layers.indexOf(layerOf(name));
    if (own < 0) return [`${name} lies in no layer of ${folder}`];
    return importsOf(name, text)
      .filter((target) => target.startsWith(`src/${folder}/`) && layers.indexOf(layerOf(target)) > own)
      .map((target) => `${name} imports ${target}`);
  });
}

/** Cycles between folders, each file counted to its first so many folders. */
function folderCycles(all: Files): string[] {
  const depths = [2, 3, 4, Number.POSITIVE_INFINITY];
  return depths.flatMap((depth) => {
    const folder = (name: string) => name.split('/').slice(0, -1).slice(0, depth).join('/');
    const graph = new Map<string, string[]>();
    for (const [name, text] of all) {
      const targets = importsOf(name, text).filter((target) => target.startsWith('src/'));
      const others = targets.map(folder).filter((target) => target !== folder(name));
      graph.set(folder(name), [...(graph.get(folder(name)) ?? []), ...others]);
    }
    const files = (cycle: string) => [...all.keys()].filter((name) => cycle.split(' → ').includes(folder(name)));
    return cyclesOf(graph).map((cycle) => `${cycle}: ${files(cycle).join(', ')}`);
  });
}

function benchmarkImports(all: Files): string[] {
  return [...filesUnder(all, '', '.ts')]
    .filter(([name]) => !name.startsWith('bench/'))
    .flatMap(([name, text]) => importsOf(name, text).map((target) => ({ name, target })))
    .filter(({ target }) => target.startsWith('bench/'))
    .map(({ name, target }) => `${name} imports ${target}`);
}

function fullFolders(all: Files): string[] {
  const folders = Map.groupBy(all.keys(), (name) => name.slice(0, name.lastIndexOf('/')));
  return [...folders]
    .filter(([, names]) => names.length > MOST_FILES_IN_A_FOLDER)
    .flatMap(([folder, names]) => names.map((name) => `${folder} holds ${names.length} files, ${name} among them`));
}

function idleNames(all: Files): string[] {
  return [...all.keys()].filter((name) => /(^|\/)(utils?|helpers?|common|types|services|managers?)\//i.test(name));
}

function barrels(all: Files): string[] {
  return [...all].flatMap(([name, text]) => {
    const code = withoutComments(text);
    const own = code.replaceAll(/^export\s[^;'"]*?from\s+'[^']+';?$/gm, '').trim();
    const passesOn = /^export\s+\*/m.test(code) || (own === '' && code.trim() !== '');
    return passesOn || /(^|\/)index\.ts$/.test(name) ? [name] : [];
  });
}

function clocks(all: Files): string[] {
  const pure = new Map([...filesUnder(all, 'src/domain/'), ...filesUnder(all, 'src/snapshot/')]);
  return matches(pure, /\bDate\.now\b|\bTemporal\.Now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bMath\.random\b/);
}

function sqlOutsideStore(all: Files): string[] {
  const others = new Map([...all].filter(([name]) => !name.startsWith('src/store/')));
  return matches(
    others,
    /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql`|\b(pool|client)\.query\(/,
  );
}

/** Here the words of the contract are spoken: on the wire, to people, in the operator's files and settings. */
const EDGE = /^src\/(api|site|app|cli|config|simulation|sources)\//;
/** What people write before the name of a place is data of these rules, not a name for anything. */
const SPELLINGS = /^src\/domain\/places\/(county|place-[a-z-]+)\.ts$/;
const WORDS = new Set(
  `benzina motorina pret preturi statie statii judet judete oras orase retea retele istoric raza culoare nume rezultate
  variatie vechime inregistrari adresa servicii telefon franciza nesigur blocat orfan observatie observat expirat
  incoerent suspecta masurat lipsa actualizat minime mediu distanta cheie abonament`.split(/\s+/),
);

function romanianInside(all: Files): string[] {
  return [...all]
    .filter(([name]) => !EDGE.test(name) && !SPELLINGS.test(name))
    .flatMap(([name, text]) => {
      // A path of the API is a proper noun.
      const code = withoutComments(text).replaceAll(/\/[a-z]+/g, ' ');
      const words = code.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
      const found = new Set((words.match(/[a-z]+/g) ?? []).filter((word) => WORDS.has(word)));
      return [...found].map((word) => `${name}: ${word}`);
    });
}

function leftovers(all: Files): string[] {
  const later = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X'].join('|')})\\b`);
  const aside = /\b(test|it|describe|suite)\.(only|skip|todo)\b|\{\s*(only|skip|todo):/;
  const code = new Map([...all].filter(([name]) => name.endsWith('.ts')));
  return [...matches(all, later), ...matches(code, aside)];
}

function tooLong(all: Files): string[] {
  return [...all]
    .map(([name, text]) => ({ name, lines: text.split('\n').length - 1 }))
    .filter(({ name, lines }) => lines > (name.endsWith('.test.ts') ? 500 : 300))
    .map(({ name, lines }) => `${name}: ${lines} lines`);
}

/** `file:line` of every line of code that matches. */
function matches(all: Files, pattern: RegExp): string[] {
  return [...all].flatMap(([name, text]) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${name}:${index + 1}: ${line.trim()}`] : [])),
  );
}
