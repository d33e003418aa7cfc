/** Checks that the documents are complete and agree with the code; each check must also find a breach. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { SETTINGS_PAGE, settingsPage } from '../../scripts/settings-doc.ts';
import type { Command } from '../../src/app/command.ts';
import type { Setting } from '../../src/config/setting.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { BILLING_PATHS } from '../../src/domain/pages/billing-paths.ts';
import { ROUTES } from '../../src/domain/pages/routes.ts';
import { tablesCreatedBy } from '../../src/store/backup/database-tables.ts';
import { readMigrations } from '../../src/store/migrations/read-migrations.ts';
import { TestService } from '../support/service/test-service.ts';
import {
  commentsOf,
  type Files,
  filesUnder,
  ON_DEMAND_FOLDERS,
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
/** Packages that are installed on demand only. */
const onDemand = ON_DEMAND_FOLDERS.map((folder) => JSON.parse(files.get(`${folder}/package.json`) ?? '') as Package);
const DEPENDENCIES = 'docs/decisions/0003-dependencies.md';
const DECISIONS = 'docs/decisions/';

describe('settings', () => {
  test('in docs/SETTINGS.md are what scripts/settings-doc.ts generates from the table', () => {
    assert.equal(page(SETTINGS_PAGE), settingsPage());
  });

  test('in docs/SETTINGS.md have the least and the greatest value of every number', () => {
    const numbers = Object.entries<Setting<unknown>>(SETTINGS).filter(
      ([name, { defaultText }]) => name.endsWith('PORT') || /^\d+(\.\d+)?[smhd]?$/.test(defaultText ?? ''),
    );
    assert.ok(numbers.length >= 7);
    for (const [name, { parse }] of numbers) {
      const [least = '', greatest = ''] = (parse.range ?? '').split(' to ');
      assert.ok(page(SETTINGS_PAGE).includes(`| ${least} to ${greatest} |`), name);
      assert.doesNotThrow(() => [parse(least), parse(greatest)], name);
      assert.throws(() => parse(greatest.replace(/^\d+/, (digits) => `${Number(digits) + 1}`)), name);
    }
  });
});

describe('the command line', () => {
  let commands: Command[] = [];
  before(async () => {
    const modules = await Promise.all(
      [...filesUnder(withoutTests(files), 'src/cli/', '.ts').keys()].map((file) => import(`../../${file}`)),
    );
    commands = modules.flatMap((module) => Object.values(module).filter(isCommand));
  });

  test('lists every command in --help', () => {
    const { stdout } = spawnSync(process.execPath, ['src/main.ts', '--help'], { cwd: ROOT, encoding: 'utf8' });
    const listed = [...stdout.matchAll(/^ {2}([a-z]+) {2}/gm)].map(([, name]) => name);
    assert.deepEqual(listed.sort(), commands.map(({ name }) => name).sort());
  });

  test('has a line in README.md for every command, and a part with every flag in docs/OPERATIONS.md', () => {
    assert.deepEqual(
      commands.flatMap((command) => undocumented(command, page('README.md'), page('docs/OPERATIONS.md'))),
      [],
    );
  });

  test('has no undocumented command or flag, which the check would find', () => {
    const command = { name: 'dance', usage: 'dance', flags: { slowly: { type: 'boolean' } } } as unknown as Command;
    assert.equal(undocumented(command, '', '').length, 2);
    assert.equal(undocumented(command, '`dance`', '### `pompa dance`\ntext\n### `pompa rest`\n--slowly').length, 1);
    assert.equal(undocumented(command, '`dance`', '### `pompa dance`\n`--slowly`').length, 0);
  });
});

describe('the API', () => {
  test('has every page for people in README.md, and no other', () => {
    assert.deepEqual(
      pagesListedUnder('Pages for people').sort(),
      Object.values(ROUTES)
        .map(({ ro, en }) => `${ro} ${en}`)
        .sort(),
    );
  });

  test('has the pages of selling in README.md, each with those below it', () => {
    const listed = pagesListedUnder('Pages of selling');
    const paths = Object.values(BILLING_PATHS).map(({ ro, en }) => `${ro} ${en}`);
    assert.deepEqual(
      listed.filter((each) => !paths.includes(each)),
      [],
    );
    const tops = listed.map((each) => each.split(' ')[0] as string);
    assert.deepEqual(
      Object.values(BILLING_PATHS).filter(({ ro }) => !tops.some((top) => `${ro}/`.startsWith(`${top}/`))),
      [],
    );
  });

  test('has every endpoint of its OpenAPI description in README.md', async () => {
    const service = await TestService.start();
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
  const versions = [manifest, ...onDemand].flatMap((one) => KINDS.map((kind) => one[kind] ?? {}));
  const declared = versions.flatMap((some) => Object.keys(some));

  test('have a line each in the decision about dependencies, which lists no others', () => {
    const explained = [...page(DEPENDENCIES).matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);
    assert.deepEqual([...new Set(explained)].sort(), [...new Set(declared)].sort());
  });

  test('are pinned to one exact version', () => {
    assert.deepEqual(versions.flatMap(unpinned), []);
    assert.deepEqual(unpinned({ a: '^1.0.0', b: '1.x', c: 'latest', d: '1.2.3', e: '1.2.3-beta.4' }), ['a', 'b', 'c']);
  });
});

describe('pages', () => {
  test('have no dead link within the project', () => {
    assert.ok(pages.size > 8);
    assert.deepEqual(deadLinks(pages, new Set(files.keys())), []);
    const text = '# One\n[a](B.md) [b](#one) [c](#two) [d](docs/C.md#three) [e](https://x.ro/)\n```\n[f](F.md)\n```';
    const broken = new Map([
      ['A.md', text],
      ['docs/C.md', '# Four'],
    ]);
    assert.deepEqual(deadLinks(broken, new Set(broken.keys())), ['A.md: B.md', 'A.md: #two', 'A.md: docs/C.md#three']);
  });

  test('start with README.md, whose first 60 lines have everything that a newcomer needs', () => {
    const lines = page('README.md').split('\n').indexOf('## Details');
    assert.ok(lines > 0 && lines <= 60, `"## Details" is on line ${lines + 1}`);
    for (const needed of ['npm start', 'npm test', 'CONTACT', 'docs/ARCHITECTURE.md', 'docs/OPERATIONS.md']) {
      assert.ok(page('README.md').split('## Details')[0]?.includes(needed), `${needed} is not on the first screen`);
    }
  });

  test('of docs are linked from README.md', () => {
    const docs = [...pages.keys()].filter((name) => /^docs\/[^/]+\.md$/.test(name));
    assert.ok(docs.length > 8);
    assert.deepEqual(
      docs.filter((name) => !page('README.md').includes(`](${name})`)),
      [],
    );
  });

  test('of decisions have unique numbers and are listed', () => {
    const records = [...filesUnder(pages, DECISIONS).keys()].map((name) => name.slice(DECISIONS.length));
    const numbered = records.filter((name) => name !== 'README.md');
    assert.deepEqual(
      numbered.filter((name) => !/^\d{4}-[a-z0-9-]+\.md$/.test(name)),
      [],
    );
    assert.equal(new Set(numbered.map((name) => name.slice(0, 4))).size, numbered.length, 'a number occurs twice');
    assert.deepEqual(
      numbered.filter((name) => !page(`${DECISIONS}README.md`).includes(`](${name})`)),
      [],
    );
  });

  test('include this version in CHANGELOG.md', () => {
    assert.match(page('CHANGELOG.md'), new RegExp(`^## \\[${manifest.version.replaceAll('.', '\\.')}\\]`, 'm'));
  });

  test('include every folder of src in docs/ARCHITECTURE.md', () => {
    const folders = new Set(
      [...filesUnder(withoutTests(files), 'src/').keys()].map((name) => name.split('/')[1] ?? ''),
    );
    assert.deepEqual(
      [...folders].filter((folder) => !page('docs/ARCHITECTURE.md').includes(`\`${folder}`)),
      [],
    );
  });
});

describe('tables', () => {
  test('that the migrations create have a row in docs/ARCHITECTURE.md each, and no others', () => {
    assert.deepEqual(tablesListedIn(page('docs/ARCHITECTURE.md')), [...tablesCreatedBy(readMigrations())].sort());
    const text =
      '`a`\n## What the tables hold\n\n| table | rows |\n|---|---|\n| `c`, `b` | of `d` |\n\n## Rest\n| `e` | |';
    assert.deepEqual(tablesListedIn(text), ['b', 'c']);
  });
});

describe('identifiers and files in backticks exist', () => {
  test('in comments', () => {
    assert.deepEqual(staleNames(commentsIn(filesUnder(files, 'src/', '.ts')), files), []);
    const source = new Map([['src/a.ts', '/** See `goneAway` and `gone-file.ts`, not `kept`. */\nconst kept = 1;']]);
    assert.deepEqual(staleNames(commentsIn(source), source), ['src/a.ts: goneAway', 'src/a.ts: gone-file.ts']);
  });

  test('in the documents', () => {
    const documents = new Map([...pages].filter(([name]) => DESCRIBES_THE_CODE.test(name)));
    assert.ok(documents.size > 10);
    assert.deepEqual(staleNames(documents, files), []);
    const all = new Map([
      ['a.ts', `type Kept = { here: 1 };\nconst GONE = 'Lost';`],
      [
        'a.md',
        '`Kept.here`, `Kept.gone`, `GONE`, `LEFT_OVER`, `Lost`, `Lost.here`, `#goneAway(x)`, `Wanted: text`, `lost.ts`',
      ],
    ]);
    const stale = ['Kept.gone', 'LEFT_OVER', 'Lost', 'Lost.here', 'goneAway', 'lost.ts'];
    assert.deepEqual(
      staleNames(filesUnder(all, 'a.md'), all),
      stale.map((name) => `a.md: ${name}`),
    );
  });
});

describe('rules', () => {
  test('that a comment cites are in docs/RULES.md', () => {
    assert.deepEqual(unexplained(filesUnder(files, '', '.ts'), page('docs/RULES.md')), []);
    const citing = new Map([['a.ts', `// ${'Rul'}es 7, 8 and 10 to 12, and rule 20.`]]);
    assert.deepEqual(unexplained(citing, '**8.** x\n**11.** y\n**20.** z'), ['a.ts: 7', 'a.ts: 10', 'a.ts: 12']);
  });
});

describe('no file contains', () => {
  test('a path of a developer’s machine, a host of a package registry, or a private key', () => {
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
  const section = operations.split(/^(?=### )/m).find((text) => text.startsWith(`### \`pompa ${name}`));
  const missing = readme.includes(`\`${name}`) ? [] : [`README.md has no ${name}`];
  if (section === undefined) return [...missing, `docs/OPERATIONS.md has no section on ${name}`];
  const undocumentedFlags = Object.keys(flags).filter((flag) => !section.includes(`\`--${flag}`));
  return [...missing, ...undocumentedFlags.map((flag) => `docs/OPERATIONS.md does not explain ${name} --${flag}`)];
}

/** Pages about the code of today; decisions and the changelog may name what is gone. */
const DESCRIBES_THE_CODE =
  /^(README|CONTRIBUTING|docs\/[^/]+|test\/README|bench\/README|src\/api\/http\/fast-path\/README)\.md$/;

/** The Romanian and the English address of each row of a table in README.md. */
function pagesListedUnder(heading: string): string[] {
  const part = page('README.md').split(`### ${heading}\n`)[1]?.split('\n### ')[0] ?? '';
  return [...part.matchAll(/^\| `(.+?)` \| `(.+?)` \| .+ \|$/gm)].map(([, ro, en]) => `${ro} ${en}`);
}

function tablesListedIn(architecture: string): string[] {
  const part = architecture.split('\n## What the tables hold\n')[1]?.split('\n## ')[0] ?? '';
  const names = [...part.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
  return names.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)).sort();
}

function commentsIn(code: Files): Files {
  return new Map([...code].map(([name, text]) => [name, commentsOf(text).join('\n')]));
}

/** Identifiers and TypeScript files that texts mention in backticks but that do not exist. */
function staleNames(texts: Files, all: Files): string[] {
  const code = [...all].filter(([name]) => /\.(ts|sql|sh|fixture\.json)$|^(bin|scripts)\//.test(name));
  const plain = code.map(([, text]) => withoutComments(text)).join('\n');
  const words = new Set([...(plain.match(/[A-Za-z_$][\w$]*/g) ?? []), ...NOT_OURS]);
  const declared = new Set([...[...plain.matchAll(DECLARATION)].map(([, name]) => name), ...NOT_OURS]);
  const files = new Set([...all.keys()].map((name) => name.split('/').at(-1)));
  const exists = (name: string) => {
    if (name.endsWith('.ts')) return files.has(name);
    const [first = '', ...members] = name.split('.');
    if (/^[A-Z][a-z]+$/.test(first) || members.length > 0)
      return !/^[A-Z]/.test(first) || (declared.has(first) && members.every((member) => words.has(member)));
    return !/^[a-z]+[A-Z]|^[A-Z]+[a-z]\w*$|^[A-Z][A-Z0-9_]+$/.test(first) || words.has(first) || first in globalThis;
  };
  return [...texts].flatMap(([file, text]) =>
    [...prose(text).matchAll(/`#?([A-Za-z][\w.-]*)(?:\([^`)]*\))?`/g)]
      .map(([, name = '']) => name)
      .filter(
        (name) => /^([\w.-]+\.ts|[A-Za-z_.]\w*(\.[a-z]\w*)*)$/.test(name) && !/exemplu/i.test(name) && !exists(name),
      )
      .map((name) => `${file}: ${name}`),
  );
}

const DECLARATION = /\b(?:type|class|const|function|interface)\s+([A-Z]\w*)/g;

/** Names that documents cite from elsewhere: HTTP, the language, what sources send, what people type. */
const NOT_OURS: readonly string[] = [
  ...['Accept', 'Allow', 'Expect', 'Forwarded', 'Host', 'Link', 'Topic', 'Upgrade'],
  ...['AbortSignal', 'Date', 'NaN', 'Range'],
  // Names of files.
  ...['CITATION', 'ERATA', 'LICENTA', 'cff', 'md', 'txt'],
  ...['NoRoute', 'NoSegment', 'GetUATByName', 'GetGasNetworks', 'Products', 'HASH', 'TS', 'EVO_100_PLUS'],
  ...['Name', 'Anonim', 'Bucuresti', 'Bucharest', 'Germany'],
];

/** Numbers of rules, also in lists and ranges, without a paragraph in docs/RULES.md. */
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

/** The anchors that GitHub generates from headings. */
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

/** Certificates for tests, with their private keys. */
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
