/** Prints the types and methods of the client for TypeScript. */
import { type Api, type ApiType, capitalised, type Field, type Model, type Operation } from './api-types.ts';
import { commentLines } from './comment-lines.ts';

const NOTICE = '// Generated from the description of the API by clients/generator/generate.ts; never edit it.\n';

/** The files of the package by their path below `src/`. */
export function printTypeScript(api: Api): Readonly<Record<string, string>> {
  return { 'generated/models.ts': printModels(api.models), 'generated/endpoints.ts': printEndpoints(api) };
}

function printModels(models: readonly Model[]): string {
  return `${NOTICE}\n${models.map(printModel).join('\n')}`;
}

function printModel(model: Model): string {
  if ('same' in model) return `export type ${model.name} = ${printType(model.same)};\n`;
  return `export interface ${model.name} {\n${model.fields.map(printField).join('')}}\n`;
}

function printField({ name, type, required, description }: Field): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
  return `${comment(description, '  ')}  ${key}${required ? '' : '?'}: ${printType(type)};\n`;
}

function printType(type: ApiType): string {
  switch (type.kind) {
    case 'named':
      return type.name;
    case 'plain':
      return type.name === 'integer' ? 'number' : type.name;
    case 'literals':
      return type.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'list':
      return `Array<${printType(type.items)}>`;
    case 'tuple':
      return `[${Array.from({ length: type.length }, () => printType(type.items)).join(', ')}]`;
    case 'map':
      return `Record<string, ${printType(type.values)}>`;
    case 'union':
      return type.members.map(printType).join(' | ');
  }
}

function printEndpoints({ models, operations }: Api): string {
  const body = `${operations.map(printInput).join('\n')}\n${printClass(operations)}`;
  const used = models.map(({ name }) => name).filter((name) => new RegExp(`\\b${name}\\b`).test(body));
  const imports = `import type {\n${used.map((name) => `  ${name},\n`).join('')}} from './models.ts';\n`;
  return `${NOTICE}\nimport { type CallOptions, Transport } from '../transport.ts';\n${imports}\n${body}`;
}

/** An operation without fields has an input too: it may get some later. */
function printInput({ name, input }: Operation): string {
  if (input.length === 0) return `export type ${capitalised(name)}Input = Record<string, never>;\n`;
  return `export interface ${capitalised(name)}Input {\n${input.map(printField).join('')}}\n`;
}

function printClass(operations: readonly Operation[]): string {
  const methods = operations.map(printMethod).join('\n');
  return `/** A method for each operation of the API. */\nexport abstract class Endpoints extends Transport {\n${methods}}\n`;
}

function printMethod(operation: Operation): string {
  const { name, method, path, input, hasBody, answerStatuses, answer, summary, description } = operation;
  const optional = input.every(({ required }) => !required);
  const parameter = `input: ${capitalised(name)}Input${optional ? ' = {}' : ''}, `;
  const type = answer === null ? 'undefined' : printType(answer);
  const sent = `{ method: '${method}', path: '${path}', hasBody: ${hasBody}, answers: [${answerStatuses.join(', ')}] }`;
  return `${comment([`${summary}.`, description], '  ')}  ${name}(${parameter}options: CallOptions = {}): Promise<${type}> {
    return this.call(${sent}, { ...input }, options);
  }
`;
}

function comment(text: string | readonly string[], indent: string): string {
  const paragraphs = [text].flat().filter((each) => each.trim() !== '');
  const lines = paragraphs.flatMap((each, at) => [
    ...(at === 0 ? [] : ['']),
    ...commentLines(each.replaceAll('*/', '*\\/')),
  ]);
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}
