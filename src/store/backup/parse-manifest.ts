/** Reads what a file says of itself: nothing of it is believed before it has the right form. */
import { type TSchema, Type } from 'typebox';
import { Check, Errors } from 'typebox/value';
import type { Contents } from './contents.ts';
import { FORMAT, type Manifest, memberName, VERSION } from './manifest.ts';
import { damaged, newerFormat, noBackup } from './refusals.ts';

const CountSchema = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const TABLE_FIELDS = {
  table: Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' }),
  columns: Type.Array(Type.String(), { minItems: 1 }),
  rows: CountSchema,
};
const CONTENT_FIELDS = {
  program: Type.String(),
  made: Type.String(),
  migrations: Type.Array(Type.Object({ number: CountSchema, name: Type.String(), sha256: Type.String() })),
  tables: Type.Array(Type.Object(TABLE_FIELDS)),
  sequences: Type.Array(
    Type.Object({ name: Type.String(), value: Type.String({ pattern: '^-?\\d+$' }), called: Type.Boolean() }),
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
  format: Type.Literal(FORMAT),
  version: Type.Literal(VERSION),
  tables: Type.Array(Type.Object({ ...TABLE_FIELDS, members: Type.Array(MemberSchema) })),
});

export function parseContents(value: unknown): Contents {
  if (!Check(ContentsSchema, value)) malformed(ContentsSchema, value);
  return value;
}

export function parseManifest(text: string): Manifest {
  const value = parseJson(text);
  const { format, version } = Object(value);
  if (format !== FORMAT) noBackup();
  if (Number.isInteger(version) && version > VERSION) newerFormat(version, VERSION);
  if (!Check(ManifestSchema, value)) malformed(ManifestSchema, value);
  for (const { table, members } of value.tables) {
    for (const [index, { name }] of members.entries()) {
      const right = memberName(table, index + 1);
      if (name !== right) damaged(`its manifest.json names a member ${quoted(name)} where ${right} belongs`);
    }
  }
  return value;
}

/** A text of somebody else's, short and in one line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
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
  damaged(`what it says of itself is malformed: ${error?.instancePath} ${error?.message}`);
}
