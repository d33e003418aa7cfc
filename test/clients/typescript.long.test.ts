/**
 * The client for TypeScript as its users get it: packed, installed into an empty folder, compiled by the compiler of
 * most users, run by their Node; and its types against those of a foreign generator. The same in every form.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readApi } from '../../clients/generator/read-api.ts';
import { ROOT } from '../project/project-files.ts';
import { findProgram } from '../support/debian-packages.ts';
import { atAddress, snippetsOf } from '../support/documented-code.ts';
import { installPackages } from '../support/install-packages.ts';
import { runProgram } from '../support/processes/run-program.ts';
import { realOpenApiDocument } from '../support/service/real-api-description.ts';
import { TestService } from '../support/service/test-service.ts';

const CLIENT = path.join(ROOT, 'clients/typescript');
const TOOLS = path.join(import.meta.dirname, 'node_modules');
const TSC = [process.execPath, path.join(TOOLS, 'typescript/bin/tsc')];
const STRICT = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'];
const RESOLUTIONS = [
  ['--module', 'nodenext'],
  ['--module', 'esnext', '--moduleResolution', 'bundler'],
];

describe('the client for TypeScript', () => {
  let folder: string;
  let service: TestService;
  before(async () => {
    assert.ok(installPackages(import.meta.dirname), 'npm could not install the packages of test/clients');
    service = await TestService.start();
    folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-typescript-'));
    await install(folder);
  });
  after(async () => {
    await service.api.close();
    rmSync(folder, { recursive: true });
  });

  test('is a package with its types, its licence and nothing else', async () => {
    const listed = (await runProgram(['tar', '-tzf', 'pompa-client-0.1.0.tgz'], { cwd: folder })).trim().split('\n');
    const others = listed.filter((name) => !/^package\/dist\/[\w/-]+\.(js|d\.ts)$/.test(name));
    assert.deepEqual(others.sort(), ['package/LICENSE', 'package/README.md', 'package/package.json']);
    assert.ok(listed.includes('package/dist/generated/models.d.ts'));
  });

  test('runs the example of its README', async () => {
    const [example = ''] = snippetsOf('clients/typescript/README.md', 'ts');
    writeFileSync(path.join(folder, 'example.js'), atAddress(example, `http://127.0.0.1:${service.port}`));
    const node = findProgram(['node']) ?? process.execPath;
    assert.match(await runProgram([node, 'example.js'], { cwd: folder }), /^\d\.\d+ RON\n$/);
  });

  test('compiles for its users with all checks on, its declarations included', async () => {
    const rules = readFileSync(path.join(import.meta.dirname, 'type-rules.ts'), 'utf8');
    writeFileSync(path.join(folder, 'rules.ts'), rules.replace(/'[^']*clients\/typescript[^']*'/, `'pompa-client'`));
    for (const resolution of RESOLUTIONS)
      await runProgram([...TSC, ...STRICT, '--lib', 'es2022,dom', ...resolution, 'rules.ts'], { cwd: folder });
  });

  test('has the types that a foreign generator makes of the same description', async () => {
    const document = realOpenApiDocument();
    writeFileSync(path.join(folder, 'openapi.json'), JSON.stringify(document));
    const generator = path.join(TOOLS, 'openapi-typescript/bin/cli.js');
    await runProgram([process.execPath, generator, 'openapi.json', '-o', 'foreign.d.ts'], { cwd: folder });
    const described = Object.keys((document.components as { schemas: object }).schemas);
    const { models } = readApi(document as Parameters<typeof readApi>[0]);
    const names = models.map(({ name }) => name).filter((name) => described.includes(name));
    assert.ok(names.length > 20);
    writeFileSync(path.join(folder, 'same.ts'), comparison(names));
    await runProgram([...TSC, ...STRICT, '--module', 'nodenext', 'same.ts'], { cwd: folder });
    writeFileSync(path.join(folder, 'other.ts'), comparison(names).replace('ours.Cheie', 'ours.Stare'));
    await assert.rejects(
      runProgram([...TSC, ...STRICT, '--module', 'nodenext', 'other.ts'], { cwd: folder }),
      /'false'/,
    );
  });
});

/** Packs a copy, so that nothing is built in the project, and installs it as a user does. */
async function install(folder: string): Promise<void> {
  const copy = path.join(folder, 'source');
  cpSync(CLIENT, copy, { recursive: true, filter: (file) => !/[\\/](dist|node_modules)$/.test(file) });
  const bin = path.join(ROOT, 'node_modules/.bin');
  const env = { PATH: [bin, path.dirname(process.execPath), process.env.PATH].join(path.delimiter) };
  await runProgram(['npm', 'pack', '--pack-destination', folder], { cwd: copy, env });
  mkdirSync(path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const offline = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await runProgram(['npm', 'install', ...offline, './pompa-client-0.1.0.tgz'], { cwd: folder, env });
}

/** A module that compiles while both have the same types; the foreign ones know no tuples. */
function comparison(names: readonly string[]): string {
  return `import type * as ours from 'pompa-client';
import type { components } from './foreign.js';
type Theirs = components['schemas'];
type Loose<T> = T extends readonly (infer I)[] ? Loose<I>[] : T extends object ? { [K in keyof T]: Loose<T[K]> } : T;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
${names.map((name) => `export const is${name}: Same<Loose<ours.${name}>, Loose<Theirs['${name}']>> = true;`).join('\n')}
`;
}
