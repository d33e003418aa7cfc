/** Runs test files as scripts/test does, in the folder it is started in, and tells its parent each outcome by title. */
import path from 'node:path';
import { run } from 'node:test';

/** What is told: a test that is begun, or its end. */
export type Told =
  | { readonly begun: string }
  | { readonly passed: string }
  | { readonly failed: string; readonly file: string; readonly suite: boolean };

const [concurrency, ...files] = process.argv.slice(2);
const stream = run({ files: files.map((file) => path.resolve(file)), concurrency: Number(concurrency) });
/** The titles of the groups around the test being reported, by file. */
const trails = new Map<string, string[]>();

const titleOf = ({ name, nesting, file = '' }: { name: string; nesting: number; file?: string }): string => {
  const trail = (trails.get(file) ?? []).slice(0, nesting);
  trail[nesting] = name;
  trails.set(file, trail);
  return trail.join(': ');
};
const tell = (told: Told) => process.send?.(told);
const fileOf = ({ file = '' }: { file?: string }) => path.relative(process.cwd(), file);

stream.on('test:dequeue', ({ name }) => tell({ begun: name }));
stream.on('test:start', (data) => void titleOf(data));
stream.on('test:pass', (data) => {
  const title = titleOf(data);
  // The run counts a skipped test as failed.
  if (data.skip !== undefined || data.todo !== undefined) tell({ failed: title, file: fileOf(data), suite: false });
  else if (data.details.type !== 'suite') tell({ passed: title });
});
stream.on('test:fail', (data) => {
  const whole = path.resolve(data.name) === data.file;
  const title = whole ? '' : titleOf(data);
  tell({ failed: title, file: fileOf(data), suite: data.details.type === 'suite' });
});
stream.on('end', () => process.disconnect?.());
stream.resume();
