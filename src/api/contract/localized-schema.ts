/**
 * Schemas with their text in both languages. JSON Schema has one `description`, which is the English one; the Romanian
 * one stands beside it under a symbol, so that no serialized schema shows it.
 */
import type { TSchema } from 'typebox';
import type { LocalizedText } from '../../domain/localized-text.ts';

const ROMANIAN = Symbol('the description in Romanian');

/** The options that describe a schema. */
export function described({ ro, en }: LocalizedText): { readonly description: string } {
  return { description: en, [ROMANIAN]: ro } as { readonly description: string };
}

/** The text of a schema in both languages. A schema without one is a mistake in its declaration. */
export function descriptionOf(schema: TSchema): LocalizedText {
  const { description: en, [ROMANIAN]: ro } = schema as TSchema & { description?: string; [ROMANIAN]?: string };
  if (en === undefined || ro === undefined) throw new Error(`a schema has no text: ${JSON.stringify(schema)}`);
  return { ro, en };
}
