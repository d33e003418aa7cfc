/** Checks the files of open data that this machine publishes. */
import type { Config } from '../../config/config.ts';
import { dumpFolder, readManifest } from '../../dumps/published/dump-folder.ts';
import { durationText, type Finding, fail, pass } from '../reports/finding.ts';

/** They are made every night. */
const MAX_AGE_MS = 2 * 86_400_000;

/** @param now epoch ms */
export function dumpFindings(
  { DUMP_SOURCES, DATA_DIR }: Pick<Config, 'DUMP_SOURCES' | 'DATA_DIR'>,
  now: number,
): Finding[] {
  if (DUMP_SOURCES.length === 0) return [pass('dumps', 'none, since DUMP_SOURCES is unset')];
  const folder = dumpFolder(DATA_DIR);
  const manifest = readManifest(folder);
  const advice = 'is a worker running with this DATA_DIR and DUMP_SOURCES? Read its log, or run pompa dump';
  if (manifest === null) return [fail('dumps', `there are none in ${folder}`, advice)];
  const { madeAt, updatedAt, allowed, files } = manifest;
  const made = `${files.length} files, made ${durationText(now - madeAt)} ago`;
  if (now - madeAt > MAX_AGE_MS) return [fail('dumps', made, advice)];
  if (allowed.join() !== [...DUMP_SOURCES].sort().join())
    return [fail('dumps', `${made}, of other sources than DUMP_SOURCES: ${allowed.join(', ')}`, advice)];
  const updated = updatedAt === null ? 'of no data' : `of data updated ${durationText(now - updatedAt)} ago`;
  if (updatedAt === null || now - updatedAt > MAX_AGE_MS)
    return [fail('dumps', `${made}, ${updated}`, 'no source delivers: see the findings about sources')];
  return [pass('dumps', `${made}, ${updated}`)];
}
