/** Lists of parameters and fields: names with their types and meanings, under a heading. */
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { FieldDescription, InputDescription } from '../frame/api-description.ts';
import { type Html, html } from '../html/html-template.ts';
import { inlineMarkup } from '../html/inline-markup.ts';

/** The fields of an object, under a heading of level 4 or the given one; renders nothing if there are none. */
export function fieldList(
  heading: LocalizedText,
  fields: readonly FieldDescription[],
  language: Language,
  level: HeadingLevel = 4,
): Html | null {
  const entries = fields.map(({ names, type, description }) => ({
    names,
    type,
    text: inlineMarkup(description[language]),
  }));
  return list(inlineMarkup(heading[language]), entries, level);
}

/** What a request may contain; renders nothing if it takes neither parameters nor a body. */
export function inputList(
  heading: LocalizedText,
  inputs: readonly InputDescription[],
  language: Language,
): Html | null {
  const entries = inputs.map((input) => ({
    names: [input.name],
    type: [input.type, ...conditions(input, language)].join(', '),
    text: inlineMarkup([input.description[language], ...additions(input, language)].join(' ')),
  }));
  return list(inlineMarkup(heading[language]), entries, 4);
}

type Entry = { readonly names: readonly string[]; readonly type: string; readonly text: readonly Html[] };

type HeadingLevel = 3 | 4;

function list(heading: readonly Html[], entries: readonly Entry[], level: HeadingLevel): Html | null {
  if (entries.length === 0) return null;
  return html`${level === 3 ? html`<h3>${heading}</h3>` : html`<h4>${heading}</h4>`}
<dl class="named">
${entries.map(({ names, type, text }) => html`<div><dt>${names.map((name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`)}${type === '' ? null : html` <span class="type">${type}</span>`}</dt><dd>${text}</dd></div>\n`)}</dl>
`;
}

/** Where it is sent, whether it is required, what is allowed and what the default is. */
function conditions(input: InputDescription, language: Language): string[] {
  const { required, minimum, maximum, fallback } = input;
  const words = WORDS[language];
  return [
    ...(input.in === 'path' ? [words.inPath] : []),
    ...(required ? [words.required] : []),
    ...(minimum === null ? [] : [`${input.minimumExcluded ? '>' : '≥'} ${minimum}`]),
    ...(maximum === null ? [] : [`≤ ${maximum}`]),
    ...(fallback === null ? [] : [`${words.fallback} ${fallback}`]),
  ];
}

function additions({ values, alias }: InputDescription, language: Language): string[] {
  const words = WORDS[language];
  return [
    ...(values.length > 0 ? [`${words.values}: ${values.map((value) => `\`${value}\``).join(', ')}.`] : []),
    ...(alias === null ? [] : [`${words.alias} \`${alias}\`.`]),
  ];
}

const WORDS = {
  ro: {
    inPath: 'în cale',
    required: 'obligatoriu',
    fallback: 'implicit',
    values: 'Valori',
    alias: 'Se poate scrie și',
  },
  en: {
    inPath: 'in the path',
    required: 'required',
    fallback: 'default',
    values: 'Values',
    alias: 'May also be written',
  },
} as const satisfies Record<Language, object>;
