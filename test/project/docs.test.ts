/** The documents are complete and true to the code, as far as a machine can tell. Each check is shown a breach too. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { SETTINGS_PAGE, settingsPage } from '../../scripts/settings-doc.ts';
import type { Command } from '../../src/app/command.ts';
import { Service } from '../support/service/service.ts';
import {
  commentsOf,
  type Files,
  filesUnder,
  projectFiles,
  ROOT,
  withoutComments,
  withoutTests,
} from './project-files.ts';

const files = projectFiles();
const pages = filesUnder(files, '', '.md');
const page = (name: string) => pages.get(name) ?? '';

type Package = { version: string } & Partial<Record<(typeof KINDS)[number], Record<string, string>>>;
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;
const manifest = JSON.parse(files.get('package.json') ?? '') as Package;
/** Of tools that are installed only by those who use them. */
const toolManifest = JSON.parse(files.get('test/mutations/package.json') ?? '') as Package;
const DEPENDENCIES = 'docs/decisions/0003-dependencies.md';
const DECISIONS = 'docs/decisions/';

describe('settings', () => {
  test('docs/SETTINGS.md is what scripts/settings-doc.ts makes of the table', () => {
    assert.equal(page(SETTINGS_PAGE), settingsPage());
  });
});

describe('the command line', () => {
  let commands: Command[] = [];
  before(async () => {
    const modules = await Promise.all(
      globSync(['src/cli/*.ts', 'src/cli/doctor/*.ts'], { cwd: ROOT }).map((file) => import(`../../${file}`)),
    );
    commands = modules.flatMap((module) => Object.values(module).filter(isCommand));
  });

  test('--help lists every verb', () => {
    const { stdout } = spawnSync(process.execPath, ['src/main.ts', '--help'], { cwd: ROOT, encoding: 'utf8' });
    const listed = [...stdout.matchAll(/^ {2}([a-z]+) {2}/gm)].map(([, name]) => name);
    assert.deepEqual(listed.sort(), commands.map(({ name }) => name).sort());
  });

  test('every verb has its line in README.md, and its part in docs/OPERATIONS.md with every flag', () => {
    assert.deepEqual(
      commands.flatMap((command) => undocumented(command, page('README.md'), page('docs/OPERATIONS.md'))),
      [],
    );
  });

  test('and an undocumented verb or flag is found', () => {
    const command = { name: 'dance', usage: 'dance', flags: { slowly: { type: 'boolean' } } } as unknown as Command;
    assert.equal(undocumented(command, '', '').length, 2);
    assert.equal(undocumented(command, '`dance`', '### `pompa dance`\ntext\n### `pompa rest`\n--slowly').length, 1);
    assert.equal(undocumented(command, '`dance`', '### `pompa dance`\n`--slowly`').length, 0);
  });
});

describe('the API', () => {
  test('every endpoint of the OpenAPI description is in README.md', async () => {
    const service = await Service.start();
    try {
      const { json } = await service.ask('/openapi.json');
      const paths = Object.keys(json.paths);
      assert.ok(paths.length > 5);
      assert.deepEqual(
        paths.filter((endpoint) => !page('README.md').includes(`\`${endpoint}\``)),
        [],
      );
    } finally {
      await service.api.close();
    }
  });
});

describe('dependencies', () => {
  const versions = [manifest, toolManifest].flatMap((one) => KINDS.map((kind) => one[kind] ?? {}));
  const declared = versions.flatMap((some) => Object.keys(some));

  test('each has its line among the decisions, and no line is left of one that went', () => {
    const explained = [...page(DEPENDENCIES).matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);
    assert.deepEqual(explained.sort(), declared.sort());
  });

  test('each is pinned to one exact version', () => {
    assert.deepEqual(versions.flatMap(unpinned), []);
    assert.deepEqual(unpinned({ a: '^1.0.0', b: '1.x', c: 'latest', d: '1.2.3', e: '1.2.3-beta.4' }), ['a', 'b', 'c']);
  });
});

describe('pages', () => {
  test('every link within the project leads somewhere', () => {
    assert.ok(pages.size > 8);
    assert.deepEqual(deadLinks(pages, new Set(files.keys())), []);
    const text = '# One\n[a](B.md) [b](#one) [c](#two) [d](docs/C.md#three) [e](https://x.ro/)\n```\n[f](F.md)\n```';
    const broken = new Map([
      ['A.md', text],
      ['docs/C.md', '# Four'],
    ]);
    assert.deepEqual(deadLinks(broken, new Set(broken.keys())), ['A.md: B.md', 'A.md: #two', 'A.md: docs/C.md#three']);
  });

  test('the first screen of README.md has all that a newcomer needs: at most 60 lines before the details', () => {
    const lines = page('README.md').split('\n').indexOf('## Details');
    assert.ok(lines > 0 && lines <= 60, `"## Details" is on line ${lines + 1}`);
    for (const needed of ['npm start', 'npm test', 'CONTACT', 'docs/ARCHITECTURE.md', 'docs/OPERATIONS.md']) {
      assert.ok(page('README.md').split('## Details')[0]?.includes(needed), `${needed} is not on the first screen`);
    }
  });

  test('every decision has a number of its own and is listed', () => {
    const records = [...filesUnder(pages, DECISIONS).keys()].map((name) => name.slice(DECISIONS.length));
    const numbered = records.filter((name) => name !== 'README.md');
    assert.deepEqual(
      numbered.filter((name) => !/^\d{4}-[a-z0-9-]+\.md$/.test(name)),
      [],
    );
    assert.equal(new Set(numbered.map((name) => name.slice(0, 4))).size, numbered.length, 'a number is there twice');
    assert.deepEqual(
      numbered.filter((name) => !page(`${DECISIONS}README.md`).includes(`](${name})`)),
      [],
    );
  });

  test('CHANGELOG.md tells of this version', () => {
    assert.match(page('CHANGELOG.md'), new RegExp(`^## \\[${manifest.version.replaceAll('.', '\\.')}\\]`, 'm'));
  });

  test('docs/ARCHITECTURE.md names every room', () => {
    const rooms = new Set([...filesUnder(withoutTests(files), 'src/').keys()].map((name) => name.split('/')[1] ?? ''));
    assert.deepEqual(
      [...rooms].filter((room) => !page('docs/ARCHITECTURE.md').includes(`\`${room}`)),
      [],
    );
  });
});

describe('comments', () => {
  test('every identifier and file that a comment names in backticks exists', () => {
    assert.deepEqual(staleNames(filesUnder(files, 'src/', '.ts'), files), []);
    const source = new Map([['src/a.ts', '/** See `goneAway` and `gone-file.ts`, not `kept`. */\nconst kept = 1;']]);
    assert.deepEqual(staleNames(source, source), ['src/a.ts: goneAway', 'src/a.ts: gone-file.ts']);
  });
});

describe('rules', () => {
  test('every rule that a comment cites is in docs/RULES.md', () => {
    assert.deepEqual(unexplained(filesUnder(files, '', '.ts'), page('docs/RULES.md')), []);
    const citing = new Map([['a.ts', `// ${'Rul'}es 7, 8 and 10 to 12, and rule 20.`]]);
    assert.deepEqual(unexplained(citing, '**8.** x\n**11.** y\n**20.** z'), ['a.ts: 7', 'a.ts: 10', 'a.ts: 12']);
  });
});

describe('what no file may hold', () => {
  test('a path of somebody’s machine, a host of a package registry, a key', () => {
    assert.deepEqual(foreignHosts(files), []);
    const bad = {
      'a.md': `see ${'..'}/shared/spec`,
      'b.ts': `const root = '${'/wo'}rk/main';`,
      'c.json': `"resolved": "https://${'registry.npm'}js.org/a.tgz"`,
      'd.sh': `cd ${'/ho'}me/ana/pompa`,
      'e.ts': `-----BEGIN ${'PRIVATE'} KEY-----`,
    };
    assert.deepEqual(foreignHosts(new Map(Object.entries(bad))), Object.keys(bad));
  });
});

function isCommand(value: unknown): value is Command {
  return typeof value === 'object' && value !== null && 'run' in value && 'usage' in value;
}

function undocumented({ name, flags }: Command, readme: string, operations: string): string[] {
  const part = operations.split(/^(?=### )/m).find((text) => text.startsWith(`### \`pompa ${name}`));
  const missing = readme.includes(`\`${name}`) ? [] : [`README.md has no ${name}`];
  if (part === undefined) return [...missing, `docs/OPERATIONS.md has no part on ${name}`];
  const undocumentedFlags = Object.keys(flags).filter((flag) => !part.includes(`\`--${flag}`));
  return [...missing, ...undocumentedFlags.map((flag) => `docs/OPERATIONS.md does not explain ${name} --${flag}`)];
}

/** Names in camel case, and files, that comments put in backticks and that stand nowhere in the code. */
function staleNames(commented: Files, all: Files): string[] {
  const code = [...all].filter(([name]) => !name.endsWith('.md')).map(([, text]) => withoutComments(text));
  const words = new Set(code.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
  const names = new Set([...all.keys()].map((name) => name.split('/').at(-1)));
  return [...commented].flatMap(([file, text]) => {
    const cited = commentsOf(text).flatMap((comment) =>
      [...comment.matchAll(/`#?([\w.-]+)(?:\(\))?`/g)].map(([, name = '']) => name),
    );
    const stale = cited.filter((name) =>
      name.endsWith('.ts')
        ? !names.has(name)
        : /^[a-z]+[A-Z]\w*$|^[A-Z]+[a-z]+[A-Z]\w*$/.test(name) && !words.has(name),
    );
    return stale.map((name) => `${file}: ${name}`);
  });
}

/** Numbers after the word, in lists and stretches, that have no paragraph. */
function unexplained(code: Files, rules: string): string[] {
  const known = new Set([...rules.matchAll(/^\*\*(\d+)\.\*\*/gm)].map(([, number]) => Number(number)));
  return [...code].flatMap(([name, text]) =>
    [...text.matchAll(/\brules? (\d+(?:(?:, | and | to )\d+)*)/gi)]
      .flatMap(([, list]) => numbersOf(list ?? ''))
      .filter((number) => !known.has(number))
      .map((number) => `${name}: ${number}`),
  );
}

/** `7, 8 and 10 to 12` → 7, 8, 10, 11, 12. */
function numbersOf(list: string): number[] {
  return list.split(/, | and /).flatMap((part) => {
    const [from = 0, to = from] = part.split(' to ').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

function unpinned(versions: Readonly<Record<string, string>>): string[] {
  return Object.keys(versions).filter((name) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(versions[name] ?? ''));
}

function deadLinks(texts: Files, known: ReadonlySet<string>): string[] {
  return [...texts].flatMap(([name, text]) =>
    [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target ?? '')
      .filter((target) => !/^[a-z]+:/.test(target) && !resolves(name, target, texts, known))
      .map((target) => `${name}: ${target}`),
  );
}

function resolves(name: string, target: string, texts: Files, known: ReadonlySet<string>): boolean {
  const [file = '', anchor] = target.split('#');
  const found = file === '' ? name : path.posix.join(path.posix.dirname(name), file).replace(/\/$/, '');
  if (!known.has(found) && ![...known].some((other) => other.startsWith(`${found}/`))) return false;
  return anchor === undefined || headings(texts.get(found) ?? '').includes(anchor);
}

/** Anchors as GitHub makes them of headings. */
function headings(text: string): string[] {
  return [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    (title ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function prose(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '');
}

/** Certificates made for tests lie there, with their keys. */
const TEST_KEYS = 'src/clients/http/test-certificates/';

function foreignHosts(all: Files): string[] {
  const bad = [
    new RegExp(`\\.\\.${'/sha'}red\\b`),
    new RegExp(`(^|[\\s"'\`(=:])(${'/wo'}rk|${'/ho'}me|/Users)/\\w`, 'm'),
    /https?:\/\/[^/\s"']*\b(registry|npmjs|npmmirror|verdaccio|artifactory|jfrog|nexus)\b/,
    /BEGIN (\w+ )?PRIVATE KEY/,
  ];
  return [...all.keys()].filter(
    (name) => !name.startsWith(TEST_KEYS) && bad.some((pattern) => pattern.test(all.get(name) ?? '')),
  );
}
