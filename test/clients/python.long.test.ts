/**
 * The client for Python: its types, its own tests, the real service, and the package that would be published. Needs
 * Python with hatchling and mypy, which it installs from Debian where they are missing; the same in every form.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ROOT } from '../project/project-files.ts';
import { atAddress, snippetsOf } from '../support/documented-code.ts';
import { runProgram } from '../support/processes/run-program.ts';
import { type ClientService, startClientService } from './client-service.ts';
import { type PythonTools, pythonTools } from './python-tools.ts';

const CLIENT = path.join(ROOT, 'clients/python');
/** Nothing is written into the project. */
const CLEAN = { PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: 'src' };

describe('the client for Python', () => {
  let tools: PythonTools;
  let service: ClientService;
  let folder: string;
  before(async () => {
    tools = pythonTools();
    service = await startClientService();
    folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-python-'));
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  test('has types that mypy accepts as strict, and that refuse what may be missing', async () => {
    const cache = path.join(folder, 'mypy');
    assert.match(
      await runProgram([tools.mypy, '--cache-dir', cache], { cwd: CLIENT }),
      /no issues found in \d\d source/,
    );
    const wrong = path.join(folder, 'wrong.py');
    writeFileSync(wrong, withoutIgnores(path.join(CLIENT, 'tests/type_rules.py')));
    const check = runProgram([tools.mypy, '--strict', '--cache-dir', cache, wrong], {
      cwd: CLIENT,
      env: { MYPYPATH: 'src' },
    });
    await assert.rejects(check, /Unsupported operand types for \* \("None" and "int"\)/);
  });

  test('passes its own tests with every Python of this machine', async () => {
    assert.ok(tools.pythons.length > 0);
    for (const python of tools.pythons)
      await runProgram([python, '-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'], {
        cwd: CLIENT,
        env: CLEAN,
      });
  });

  test('reads the real service, tells its refusals apart, and waits within its bound', async () => {
    const env = { ...CLEAN, POMPA_TEST: JSON.stringify(service) };
    await runProgram([tools.builder, '-W', 'error', '-m', 'unittest', 'tests.live'], { cwd: CLIENT, env });
  });

  test('installs from its wheel, with types and licence, and the example of its README runs', async () => {
    const source = path.join(folder, 'source');
    cpSync(CLIENT, source, { recursive: true });
    for (const kind of ['wheel', 'sdist'])
      await runProgram([tools.builder, '-c', `import hatchling.build as b; b.build_${kind}("../dist")`], {
        cwd: source,
      });
    const built = readdirSync(path.join(folder, 'dist'));
    assert.deepEqual(built.sort(), ['pompa_client-0.1.0-py3-none-any.whl', 'pompa_client-0.1.0.tar.gz']);
    const wheel = path.join(folder, 'dist', built[0] ?? '');
    const listed = await runProgram([tools.builder, '-m', 'zipfile', '-l', wheel], { cwd: folder });
    for (const part of ['pompa_client/py.typed', 'pompa_client/_models.py', 'METADATA', 'LICENSE'])
      assert.ok(listed.includes(part), `${part} is not in the wheel\n${listed}`);
    assert.doesNotMatch(listed, /tests|__pycache__/);

    await runProgram([tools.builder, '-m', 'venv', 'venv'], { cwd: folder });
    const python = path.join(folder, 'venv/bin/python');
    await runProgram([python, '-m', 'pip', 'install', '-q', '--no-index', wheel], { cwd: folder });
    const [example = ''] = snippetsOf('clients/python/README.md', 'python');
    assert.match(
      await runProgram([python, '-W', 'error', '-c', atAddress(example, service.url)], { cwd: folder }),
      /^\d\.\d+ RON\n$/,
    );
  });
});

function withoutIgnores(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/ {2}# type: ignore.*$/gm, '');
}
