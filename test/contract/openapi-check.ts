/** Holds live answers against the OpenAPI document: status, body and headers must be described there. */
import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

type Json = { [key: string]: Json };
export type Seen = {
  method: string;
  target: string;
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  json: unknown;
};

/** A check made from a document; it throws when an answer is not as described. */
export function answerCheck(document: Json): (seen: Seen) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const compiled = new Map<string, ValidateFunction>();
  const validate = (pointer: string, seen: Seen) => {
    const check = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
    compiled.set(pointer, check);
    assert.ok(check(seen.json), `${seen.method} ${seen.target} ${seen.status}: ${ajv.errorsText(check.errors)}`);
  };
  return (seen) => {
    const { pointer, response } = describedResponse(document, seen);
    validate(`${pointer}/content/application~1json/schema`, seen);
    for (const name of Object.keys(response.headers ?? {})) {
      const mayLack = name.startsWith('Access-Control-') && !['GET', 'HEAD'].includes(seen.method);
      assert.ok(
        mayLack || seen.headers[name.toLowerCase()] !== undefined,
        `${seen.target} ${seen.status} lacks ${name}`,
      );
    }
  };
}

function describedResponse(document: Json, { method, target, status }: Seen): { pointer: string; response: Json } {
  const path = target.split('?', 1)[0] as string;
  const shared = (name: string) => ({
    pointer: `/components/responses/${name}`,
    response: at(document, 'components', 'responses', name),
  });
  if (status === 405) return shared('MethodRefused');
  if (status === 410) return shared('NoSuchPath');
  const template = Object.keys(document.paths ?? {}).find((each) =>
    new RegExp(`^${each.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  if (template === undefined) return shared(status === 404 ? 'NoSuchPath' : 'BadRequest');
  const response = at(document, 'paths', template, 'get', 'responses', String(status));
  assert.ok(response, `${method} ${target}: status ${status} is not documented`);
  const ref = response.$ref as unknown as string | undefined;
  if (ref) return shared(ref.split('/').at(-1) as string);
  const escaped = template.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
  return { pointer: `/paths/${escaped}/get/responses/${status}`, response };
}

function at(document: Json, ...keys: string[]): Json {
  return keys.reduce((node, key) => node?.[key] as Json, document);
}
