/** Parses the manifest of a backup, which is untrusted: its form is checked before anything of it is used. */
import { type TSchema, Type } from 'typebox';
import { Check, Errors } from 'typebox/value';
import { BACKUP_FORMAT, FORMAT_VERSION, MANIFEST_NAME, type Manifest, memberName } from './backup-manifest.ts';
import { damaged, newerFormat, noBackup } from './backup-refusals.ts';
import type { Contents } from './contents.ts';

/** A manifest has about twenty values for each table, and three for each 4 MB of rows. */
const MAX_VALUES = 50_000;

const CountSchema = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** Names in PostgreSQL have at most 63 characters. */
const NameSchema = Type.String({ minLength: 1, maxLength: 63 });
const TABLE_FIELDS = {
  table: Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' }),
  columns: Type.Array(NameSchema, { minItems: 1, maxItems: 1_600 }),
  rows: CountSchema,
};
const CONTENT_FIELDS = {
  program: Type.String({ pattern: '^[\\w.+-]{1,64}$' }),
  made: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z$' }),
  migrations: Type.Array(
    Type.Object({
      number: CountSchema,
      name: Type.String({ pattern: '^\\d{4}-[a-z0-9-]{1,80}$' }),
      sha256: Type.String({ maxLength: 64 }),
    }),
    { minItems: 1, maxItems: 9_999 },
  ),
  tables: Type.Array(Type.Object(TABLE_FIELDS)),
  sequences: Type.Array(
    Type.Object({ name: NameSchema, value: Type.String({ pattern: '^-?\\d{1,19}$' }), called: Type.Boolean() }),
  ),
};
const ContentsSchema = Type.Object(CONTENT_FIELDS);
const MemberSchema = Type.Object({
  name: Type.String(),
  bytes: CountSchema,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});
const ManifestSchema = Type.Object({
  ...CONTENT_FIELDS,
  format: Type.Literal(BACKUP_FORMAT),
  version: Type.Literal(FORMAT_VERSION),
  tables: Type.Array(Type.Object({ ...TABLE_FIELDS, members: Type.Array(MemberSchema) })),
});

export function parseContents(value: unknown): Contents {
  if (!Check(ContentsSchema, value)) malformed(ContentsSchema, value);
  return value;
}

export function parseManifest(text: string): Manifest {
  if (countOf(text, /[{[,]/g) > MAX_VALUES) damaged(`its ${MANIFEST_NAME} has more than ${MAX_VALUES} values`);
  const value = parseJson(text);
  const { format, version } = Object(value);
  if (format !== BACKUP_FORMAT) noBackup();
  if (Number.isInteger(version) && version > FORMAT_VERSION) newerFormat(version, FORMAT_VERSION);
  if (!Check(ManifestSchema, value)) malformed(ManifestSchema, value);
  for (const { table, members } of value.tables) {
    for (const [index, { name }] of members.entries()) {
      const expected = memberName(table, index + 1);
      if (name !== expected) damaged(`its ${MANIFEST_NAME} names a member ${quoted(name)} where ${expected} belongs`);
    }
  }
  return value;
}

/** An untrusted text, shortened and on one line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function countOf(text: string, sign: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(sign)) count += 1;
  return count;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return noBackup();
  }
}

function malformed(schema: TSchema, value: unknown): never {
  const [error] = Errors(schema, value);
  damaged(`its manifest is malformed: ${error?.instancePath} ${error?.message}`.slice(0, 300));
}
