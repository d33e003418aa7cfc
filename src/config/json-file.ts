/** Reads the JSON files that settings point to. */
import path from 'node:path';
import { readBounded } from '../files/read-bounded.ts';
import { jsonExcess } from '../json/json-limits.ts';
import { tryParseJsonFile } from '../json/try-parse-json.ts';
import { BadValue } from './parse.ts';

const MAX_FILE_BYTES = 1_000_000;
const JSON_LIMITS = { depth: 10, tokens: 50_000, members: 50_000 };
const LIMIT_TEXT = { depth: '10 levels', tokens: '50000 values', members: '50000 members' };

/**
 * The value in the file, and the file's full name. A relative path starts at `folder`. Throws `BadValue`, with the
 * example, when the file cannot be read or is not JSON.
 */
export function readJsonFile(file: string, folder: string, example: string): { name: string; value: unknown } {
  const name = path.resolve(folder, file);
  const text = readText(name);
  const excess = jsonExcess(text, JSON_LIMITS);
  if (excess !== null)
    throw new BadValue(`must point to JSON such as ${example}; ${name} exceeds ${LIMIT_TEXT[excess]}`);
  const value = tryParseJsonFile(text);
  if (value === undefined) throw new BadValue(`must point to JSON such as ${example}; ${name} is not JSON`);
  return { name, value };
}

function readText(name: string): string {
  try {
    return readBounded(name, MAX_FILE_BYTES).toString();
  } catch (error) {
    throw new BadValue(`must point to a readable file: ${(error as Error).message}`);
  }
}
