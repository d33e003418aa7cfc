/** Prints the types and methods of the client for Python. */
import type { Api, ApiType, Field, Model, Operation } from './api-types.ts';
import { commentLines } from './comment-lines.ts';

const NOTICE = '# Generated from the description of the API by clients/generator/generate.ts; never edit it.\n';
/** Words that no field of a class and no parameter may have. */
const KEYWORDS =
  /^(False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield|self)$/;

/** The files of the package by their path below its folder. */
export function printPython(api: Api): Readonly<Record<string, string>> {
  return { '_models.py': printModels(api.models), '_endpoints.py': printEndpoints(api) };
}

function printModels(models: readonly Model[]): string {
  const body = models.map(printModel).join('\n\n');
  const used = TYPING.filter((name) => new RegExp(`\\b${name}\\b`).test(body));
  return `${NOTICE}"""The objects of the API: their fields are those of its JSON, in Romanian."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, ${used.join(', ')}

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired


${body}`;
}

const TYPING = ['Any', 'Dict', 'List', 'Literal', 'Optional', 'Tuple', 'TypedDict', 'Union'];

function printModel(model: Model): string {
  // Unlike the annotation of a field, this is evaluated at once: in quotes, names may come later.
  if ('same' in model) return `${model.name} = ${printType(model.same, (name) => `"${name}"`)}\n`;
  return `class ${model.name}(TypedDict):\n${model.fields.map(printField).join('') || '    pass\n'}`;
}

function printField({ name, type, required, description }: Field): string {
  const printed = required ? printType(type) : `NotRequired[${printType(type)}]`;
  return `    ${usable(name)}: ${printed}\n${docstring(description, '    ')}`;
}

function usable(name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name) || KEYWORDS.test(name)) throw new Error(`Python can have no field "${name}"`);
  return name;
}

const PLAIN = { string: 'str', number: 'float', integer: 'int', boolean: 'bool', null: 'None', unknown: 'Any' };

function printType(type: ApiType, printName = (name: string) => name): string {
  const print = (part: ApiType) => printType(part, printName);
  switch (type.kind) {
    case 'named':
      return printName(type.name);
    case 'plain':
      return PLAIN[type.name];
    case 'literals':
      return `Literal[${type.values.map(literal).join(', ')}]`;
    case 'list':
      return `List[${print(type.items)}]`;
    case 'tuple':
      return `Tuple[${Array.from({ length: type.length }, () => print(type.items)).join(', ')}]`;
    case 'map':
      return `Dict[str, ${print(type.values)}]`;
    case 'union':
      return printUnion(type.members, print);
  }
}

function printUnion(members: readonly ApiType[], print: (type: ApiType) => string): string {
  const present = members.filter((member) => !isNull(member)).map(print);
  const union = present.length === 1 ? present[0] : `Union[${present.join(', ')}]`;
  return present.length === members.length ? `${union}` : `Optional[${union}]`;
}

const isNull = (type: ApiType) => type.kind === 'plain' && type.name === 'null';

function literal(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

function printEndpoints({ models, operations }: Api): string {
  const methods = operations.map(printMethod).join('\n');
  const names = [...models.map(({ name }) => name)].filter((name) => new RegExp(`\\b${name}\\b`).test(methods));
  return `${NOTICE}"""A method for each operation of the API."""

from __future__ import annotations

from typing import Literal, Optional, Sequence, cast

from ._models import (
${names.map((name) => `    ${name},\n`).join('')})
from ._transport import Operation, Transport


class Endpoints(Transport):
${methods}`;
}

function printMethod(operation: Operation): string {
  const { name, method, path, input, pathFields, hasBody, answerStatuses, answer } = operation;
  const positional = input.filter((field) => pathFields.includes(field.name));
  const named = input.filter((field) => !pathFields.includes(field.name));
  const ordered = [...named.filter(({ required }) => required), ...named.filter(({ required }) => !required)];
  const parameters = ['self', ...positional.map(printParameter), ...(ordered.length > 0 ? ['*'] : [])];
  const all = [...parameters, ...ordered.map(printParameter)];
  const type = answer === null ? 'None' : printType(answer);
  const fields = input.map((field) => `"${field.name}": ${field.name}, `).join('');
  const statuses = answerStatuses.map((status) => `${status},`).join(' ');
  return `    def ${snakeCase(name)}(\n${all.map((each) => `        ${each},\n`).join('')}    ) -> ${type}:
${docstring(methodText(operation), '        ')}        operation = Operation("${method}", "${path}", has_body=${hasBody ? 'True' : 'False'}, answers=(${statuses}))
        answer = self.call(operation, {${fields.trimEnd().replace(/,$/, '')}})
        return ${answer === null ? 'None' : `cast(${type}, answer)`}
`;
}

function printParameter({ name, type, required }: Field): string {
  const accepted =
    type.kind === 'list' || type.kind === 'tuple' ? `Sequence[${printType(type.items)}]` : printType(type);
  if (required) return `${usable(name)}: ${accepted}`;
  return `${usable(name)}: ${accepted.startsWith('Optional[') ? accepted : `Optional[${accepted}]`} = None`;
}

/** What the method does, then a line for each parameter. */
function methodText({ summary, description, input }: Operation): string[] {
  const parameters = input.map(({ name, description }) => `${name}: ${description}`);
  return [`${summary}.`, description, ...parameters].filter((text) => text.trim() !== '');
}

function docstring(text: string | readonly string[], indent: string): string {
  const paragraphs = [text].flat().filter((each) => each.trim() !== '');
  if (paragraphs.length === 0) return '';
  const lines = paragraphs
    .map((each) => commentLines(each.replaceAll('\\', '\\\\').replaceAll('"""', "'''")).join(`\n${indent}`))
    .join(`\n\n${indent}`);
  return lines.includes('\n') || lines.endsWith('"')
    ? `${indent}"""${lines}\n${indent}"""\n`
    : `${indent}"""${lines}"""\n`;
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
