/**
 * Adds to package-lock.json the optional packages of other platforms that the registry at hand did not offer when the
 * lockfile was written: without them `npm ci` calls the lockfile out of step, although it would never install them.
 * Run it after any change of dependencies.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

type LockfileEntry = {
  version?: string;
  dev?: true;
  optional?: true;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};

const SYSTEMS = ['android', 'darwin', 'win32', 'freebsd', 'openbsd', 'netbsd', 'openharmony', 'sunos', 'aix', 'linux'];
const PROCESSORS = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32'];

const file = path.resolve(import.meta.dirname, '../package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockfileEntry> };
const added: string[] = [];

for (const [packagePath, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  if (packagePath === '') continue;
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (`node_modules/${name}` in lock.packages) continue;
    lock.packages[`node_modules/${name}`] = { version, optional: true, ...(dev && { dev }), ...platformOf(name) };
    added.push(`${name}@${version}`);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length === 0 ? 'the lockfile is complete' : `added ${added.join(', ')}`);

/** What a package's name says of the platform it is for. */
function platformOf(name: string): Pick<LockfileEntry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/);
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  if (os === undefined || cpu === undefined) throw new Error(`${name}: its platform cannot be told from its name`);
  return { os: [os], cpu: [cpu], ...(words.includes('musl') && { libc: ['musl'] }) };
}
