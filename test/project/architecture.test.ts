/**
 * Checks imports, layers, sizes of folders and files, and where clocks, SQL and Romanian words may occur. Each check
 * must also find a breach.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LAYERS, MAY_IMPORT, PURE, PURE_NAMES } from './import-rules.ts';
import {
  type Files,
  filesUnder,
  importsOf,
  projectFiles,
  staticImportsOf,
  withoutComments,
  withoutTests,
} from './project-files.ts';

const MOST_FILES_IN_A_FOLDER = 20;
const MOST_COLUMNS_OF_A_COMMENT = 120;
/** Names that files share: one feature in several layers, the same part for two tasks, or what a tool expects. */
const SHARED_NAMES = new Set(
  `alerts collect daily-prices day-statistics erase favourites import keys proof-of-work push push-subscriptions rate-limits
  recaptcha replay restore retention reviews runs seeded-random source stations sweep with-timeout
  global-setup run`.split(/\s+/),
);

const files = projectFiles();
const source = filesUnder(files, 'src/', '.ts');
const production = withoutTests(source);
/** The program, and all code of the tests and benchmarks; tests beside the program use what imports it. */
const ownCode = new Map([...production, ...filesUnder(files, 'bench/', '.ts'), ...filesUnder(files, 'test/', '.ts')]);
const typescript = filesUnder(files, '', '.ts');
/** All code except test files. */
const code = withoutTests(typescript);

holds('every import is one that the table of imports allows', production, forbiddenImports, {
  'src/domain/a.ts': `import { b } from '../store/b.ts';`,
  'src/api/b.ts': `import pg from 'pg';`,
  'src/snapshot/c.ts': `import { readFileSync } from 'node:fs';`,
  'src/store/d.ts': `export { main } from '../main.ts';`,
  'src/site/e.ts': `const late = await import('../worker/collect.ts');`,
  'src/worker/f.ts': `import { world } from '../builders.ts';`,
  'src/cellar/g.ts': `import { FUELS } from '../domain/fuel.ts';`,
});

holds('folders without I/O import only pure functions from Node, by name', production, impureNames, {
  'src/domain/a.ts': `import { hash, randomBytes } from 'node:crypto';`,
  'src/domain/b.ts': `import zlib from 'node:zlib';`,
  'src/snapshot/c.ts': `import * as crypto from 'node:crypto';`,
});

holds('no module imports itself through others, not even for a type', typescript, cycles, {
  'src/domain/a.ts': `import { b } from './b.ts';`,
  'src/domain/b.ts': `import type { C } from './c.ts';`,
  'src/domain/c.ts': `import { a } from './a.ts';`,
});

holds('what answers before the program is loaded imports no package', production, earlyPackages, {
  'src/app/early-service.ts': `import { a } from '../api/a.ts';`,
  'src/api/a.ts': `import type { FastifyInstance } from 'fastify';\nimport { sql } from 'kysely';`,
});

holds('a sub-folder imports only sub-folders of earlier layers', production, againstLayers, {
  'src/api/response/a.ts': `import { b } from '../endpoints/b.ts';`,
  'src/domain/places/b.ts': `import { c } from '../prices/c.ts';`,
  'src/store/c.ts': `import { d } from './connection/d.ts';`,
  'src/api/cellar/d.ts': '',
});

holds('no folder imports itself through others, at any depth', ownCode, folderCycles, {
  'src/domain/a/x.ts': `import { y } from '../b/c/y.ts';`,
  'src/domain/b/z.ts': `import { x } from '../a/x.ts';`,
  'bench/harness/x.ts': `import { y } from '../processes/y.ts';`,
  'bench/processes/z.ts': `import { x } from '../harness/x.ts';`,
  'test/support/builders/x.ts': `import { y } from '../database/y.ts';`,
  'test/support/database/z.ts': `import { x } from '../builders/x.ts';`,
});

holds('text is normalised only where the work for it is bounded', production, normalisations, {
  'src/sources/a.ts': `const name = text.normalize('NFC');`,
});

holds('no test imports a benchmark, and the program imports neither', files, benchmarkImports, {
  'test/a.test.ts': `import { start } from '../bench/harness/load.ts';`,
  'test/support/b.ts': `import '../../bench/http.ts';`,
  'src/domain/c.test.ts': `import { median } from '../../bench/harness/costs.ts';`,
});

holds('a client imports nothing of the project, and the program imports no client', files, clientImports, {
  'clients/typescript/src/a.ts': `import { FUELS } from '../../../src/domain/fuel.ts';`,
  'clients/typescript/src/b.ts': `import createClient from 'openapi-fetch';`,
  'src/domain/c.ts': `import { PompaClient } from '../../clients/typescript/src/index.ts';`,
});

holds('no folder of the program, the tests or the benchmarks holds more than 20 source files', code, fullFolders, {
  ...Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`test/support/f${n}.ts`, ''])),
  ...Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`src/domain/full/f${n}.ts`, ''])),
});

holds('no folder has a meaningless name', files, meaninglessNames, {
  'src/utils/text.ts': '',
  'src/api/Helpers/a.ts': '',
  'test/common/b.ts': '',
});

holds('no two files of the program or the tests have the same name, unless they are about the same', code, sameNames, {
  'src/site/labels.ts': '',
  'src/simulation/labels.ts': '',
  'test/support/report.ts': '',
  'src/cli/reports/report.ts': '',
});

holds('no line of a comment is longer than 120 characters', typescript, longComments, {
  'src/domain/a.ts': `/** ${'Prices. '.repeat(20)} */`,
  'test/b.ts': ` * ${'Prices. '.repeat(20)}`,
  'bench/c.ts': `  // ${'Prices. '.repeat(20)}`,
});

holds('no file only re-exports', source, barrels, {
  'src/domain/index.ts': 'export const one = 1;',
  'src/api/all.ts': `export * from './router.ts';`,
  'src/api/some.ts': `/** All. */\nexport { Router } from './router.ts';\nexport { Body } from './body.ts';\n`,
});

holds('rules take the time as an argument: domain and snapshot use no clock and no randomness', production, clocks, {
  'src/domain/a.ts': 'const now = Date.now();',
  'src/domain/b.ts': 'const now = new Date();',
  'src/snapshot/c.ts': 'const now = Temporal.Now.instant();',
  'src/domain/d.ts': 'const chance = Math.random();',
});

holds('only the store contains SQL', production, sqlOutsideStore, {
  'src/worker/a.ts': `await db.selectFrom('stations').execute();`,
  'src/api/b.ts': 'await sql`select 1`.execute(db);',
  'src/app/c.ts': `await pool.query('select 1');`,
});

holds('the contract’s Romanian stays at the edge', production, romanianInside, {
  'src/domain/a.ts': 'const pretMinim = 1;',
  'src/store/b.ts': `const column = 'motiv_nesigur';`,
  'src/snapshot/c.ts': 'type Benzina = number;',
});

holds('no file has open to-dos, and no test is skipped or runs exclusively', files, leftovers, {
  'src/a.ts': `// ${'TO'}DO: think`,
  'docs/B.md': `${'FIX'}ME`,
  'test/c.test.ts': `test.${'only'}('one', () => {});`,
  'test/d.test.ts': `describe('one', { ${'skip'}: true }, () => {});`,
});

holds('no file is longer than 300 lines, no test file than 500', typescript, tooLong, {
  'src/domain/a.ts': '\n'.repeat(301),
  'src/domain/a.test.ts': '\n'.repeat(501),
});

/** Asserts that the check has no complaint about the project, and one about each file of the breach. */
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
          `no complaint about ${name}`,
        );
      }
    });
  });
}

function forbiddenImports(all: Files): string[] {
  return [...all].flatMap(([name, text]) => {
    const folder = folderOf(name);
    const allowed = MAY_IMPORT[folder];
    if (allowed === undefined) return [`${name}: ${folder} is not in the table of imports`];
    return importsOf(name, text)
      .map((target) => ({ target, what: target.startsWith('src/') ? folderOf(target) : packageOf(target) }))
      .filter(({ what }) => what !== folder && !allowed.includes(what))
      .filter(({ what }) => !what.startsWith('node:') || PURE.includes(folder))
      .map(({ target }) => `${name} imports ${target}`);
  });
}

/** The clients are packages of their own, without dependencies. */
function clientImports(all: Files): string[] {
  const isClient = (name: string) => name.startsWith('clients/typescript/');
  const concerned = [...filesUnder(all, '', '.ts')].filter(([name]) => isClient(name) || name.startsWith('src/'));
  return concerned.flatMap(([name, text]) =>
    importsOf(name, text)
      .filter((target) => isClient(target) !== isClient(name) && (isClient(name) || isClient(target)))
      .map((target) => `${name} imports ${target}`),
  );
}

function impureNames(all: Files): string[] {
  const pure = [...all].filter(([name]) => PURE.includes(folderOf(name)));
  return pure.flatMap(([name, text]) =>
    [...withoutComments(text).matchAll(/^import\s+(?:\{([^}]*)\}|[^;'"]*?)\s*from\s+'node:[^']*'/gm)]
      .flatMap(([statement, names]) => names?.split(',').map((each) => each.trim()) ?? [statement])
      .filter((imported) => imported !== '' && !PURE_NAMES.includes(imported))
      .map((imported) => `${name} imports ${imported}`),
  );
}

/** The folder below `src/`, or the name of a file that lies directly in `src/`. */
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

/** Packages that `src/app/early-service.ts` loads, also through others: each start would wait for them. */
function earlyPackages(all: Files): string[] {
  const found: string[] = [];
  const loaded = new Set<string>();
  const visit = (name: string) => {
    if (loaded.has(name)) return;
    loaded.add(name);
    const text = (all.get(name) ?? '').replaceAll(/^(?:import|export) type .*$/gm, '');
    for (const target of staticImportsOf(name, text)) {
      if (target.startsWith('src/')) visit(target);
      else if (!target.startsWith('node:')) found.push(`${name}, which ${EARLY} loads, imports ${target}`);
    }
  };
  visit(EARLY);
  return all.has(EARLY) ? found : [`there is no ${EARLY}`];
}

const EARLY = 'src/app/early-service.ts';

/** The sub-folder as `LAYERS` names it. */
function layerOf(name: string): string {
  return name.split('/').slice(2, -1).join('/') || '.';
}

function againstLayers(all: Files): string[] {
  return [...all].flatMap(([name, text]) => {
    const folder = folderOf(name);
    const layers = LAYERS[folder];
    if (layers === undefined) return [];
    const own = layers.indexOf(layerOf(name));
    if (own < 0) return [`${name} is in no layer of ${folder}`];
    return importsOf(name, text)
      .filter((target) => target.startsWith(`src/${folder}/`) && layers.indexOf(layerOf(target)) > own)
      .map((target) => `${name} imports ${target}`);
  });
}

/** Cycles between folders of each depth; deeper files count towards the folder at that depth. */
function folderCycles(all: Files): string[] {
  const depths = [2, 3, 4, Number.POSITIVE_INFINITY];
  return depths.flatMap((depth) => {
    const folder = (name: string) => name.split('/').slice(0, -1).slice(0, depth).join('/');
    const graph = new Map<string, string[]>();
    for (const [name, text] of all) {
      const targets = importsOf(name, text).filter((target) => /^(src|bench|test)\//.test(target));
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

function meaninglessNames(all: Files): string[] {
  return [...all.keys()].filter((name) => /(^|\/)(utils?|helpers?|common|types|services|managers?)\//i.test(name));
}

function sameNames(all: Files): string[] {
  const shared = [...all.keys()].filter((name) => /^(src|test)\//.test(name));
  return [...Map.groupBy(shared, (name) => name.slice(name.lastIndexOf('/') + 1, -'.ts'.length))]
    .filter(([name, files]) => files.length > 1 && !SHARED_NAMES.has(name))
    .map(([name, files]) => `${name}: ${files.join(', ')}`);
}

function longComments(all: Files): string[] {
  const comment = new RegExp(`^(?=\\s*(?://|/?\\*)).{${MOST_COLUMNS_OF_A_COMMENT + 1},}$`, 'u');
  return matches(all, comment);
}

function barrels(all: Files): string[] {
  return [...all].flatMap(([name, text]) => {
    const code = withoutComments(text);
    const own = code.replaceAll(/^export\s[^;'"]*?from\s+'[^']+';?$/gm, '').trim();
    const reExports = /^export\s+\*/m.test(code) || (own === '' && code.trim() !== '');
    return reExports || /(^|\/)index\.ts$/.test(name) ? [name] : [];
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

/** Where words of the contract may occur: for requests, answers, pages, and the operator's files and settings. */
const EDGE = /^src\/((api|site|mcp|app|cli|config|dumps|simulation|sources|domain\/pages)\/|domain\/fuel-codes\.ts$)/;
/** In these rules, Romanian words that people write before place names are data. */
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
      // Paths of the API may occur anywhere.
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

function normalisations(all: Files): string[] {
  const others = new Map([...all].filter(([name]) => name !== 'src/domain/unicode-normal-form.ts'));
  return matches(others, /(?<!\bpath)\.normalize\(/);
}

function tooLong(all: Files): string[] {
  return [...all]
    .filter(([name]) => !name.startsWith('clients/typescript/src/generated/'))
    .map(([name, text]) => ({ name, lines: text.split('\n').length - 1 }))
    .filter(({ name, lines }) => lines > (name.endsWith('.test.ts') ? 500 : 300))
    .map(({ name, lines }) => `${name}: ${lines} lines`);
}

/** Every line of code that matches, with its file and number. */
function matches(all: Files, pattern: RegExp): string[] {
  return [...all].flatMap(([name, text]) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${name}:${index + 1}: ${line.trim()}`] : [])),
  );
}
