/**
 * Schemas with their text in both languages. JSON Schema has a single `description`, which is the English one; the
 * Romanian one is stored under a symbol, so that no serialized schema shows it.
 */
import type { TSchema } from 'typebox';
import type { LocalizedText } from '../../domain/localized-text.ts';

const ROMANIAN = Symbol('the description in Romanian');

/** The schema options that describe a schema. */
export function described({ ro, en }: LocalizedText): { readonly description: string } {
  return { description: en, [ROMANIAN]: ro } as { readonly description: string };
}

/** A schema's text in both languages. A schema without one is a mistake in its declaration. */
export function descriptionOf(schema: TSchema): LocalizedText {
  const { description: en, [ROMANIAN]: ro } = schema as TSchema & { description?: string; [ROMANIAN]?: string };
  if (en === undefined || ro === undefined) throw new Error(`schema without a description: ${JSON.stringify(schema)}`);
  return { ro, en };
}
