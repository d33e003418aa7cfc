/** Holds live answers against the OpenAPI document: status, body and headers must be described there. */
import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

type OpenApiNode = { [key: string]: OpenApiNode };
export type CheckedAnswer = {
  method: string;
  target: string;
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  json: unknown;
};

/** A check made from a document; it throws when an answer is not as described. */
export function answerCheck(document: OpenApiNode): (seen: CheckedAnswer) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const described = describer(document);
  const compiled = new Map<string, ValidateFunction>();
  const validate = (pointer: string, seen: CheckedAnswer) => {
    const check = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
    compiled.set(pointer, check);
    assert.ok(check(seen.json), `${seen.method} ${seen.target} ${seen.status}: ${ajv.errorsText(check.errors)}`);
  };
  return (seen) => {
    const { pointer, response } = described(seen);
    validate(`${pointer}/content/application~1json/schema`, seen);
    for (const [name, described] of Object.entries(response.headers ?? {})) {
      const mayLack = resolved(document, described).required !== (true as unknown);
      assert.ok(
        mayLack || seen.headers[name.toLowerCase()] !== undefined,
        `${seen.target} ${seen.status} lacks ${name}`,
      );
    }
    const known = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
    for (const name of Object.keys(seen.headers).filter((each) => CLIENT_HEADERS.test(each)))
      assert.ok(
        known.includes(name),
        `${seen.method} ${seen.target} ${seen.status} has ${name}, which is not documented`,
      );
  };
}

/** Headers that clients act upon: none of them is sent that is not described. */
const CLIENT_HEADERS = /^(access-control-|x-ratelimit-|retry-after$|allow$)/;

/** Finds what the document says of an answer. The patterns of its paths are made once: many answers are held to it. */
function describer(document: OpenApiNode) {
  const templates = Object.keys(document.paths ?? {}).map((template) => ({
    template,
    pattern: pathPattern(template),
    escaped: template.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D'),
  }));
  const shared = (name: string) => ({
    pointer: `/components/responses/${name}`,
    response: at(document, 'components', 'responses', name),
  });
  return ({ method, target, status }: CheckedAnswer): { pointer: string; response: OpenApiNode } => {
    if (status === 405) return shared('MethodRefused');
    if (status === 410) return shared('NoSuchPath');
    const path = target.split('?', 1)[0] as string;
    const known = templates.find(({ pattern }) => pattern.test(path));
    if (known === undefined) return shared(status === 404 ? 'NoSuchPath' : 'BadRequest');
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = at(document, 'paths', known.template, verb);
    // A method that the path does not take is refused in general words when it is not even a request.
    if (operation === undefined && PARSE_REFUSALS.includes(status)) return shared('BadRequest');
    const response = at(document, 'paths', known.template, verb, 'responses', String(status));
    assert.ok(response, `${method} ${target}: status ${status} is not documented`);
    const ref = response.$ref as unknown as string | undefined;
    if (ref) return shared(ref.split('/').at(-1) as string);
    return { pointer: `/paths/${known.escaped}/${verb}/responses/${status}`, response };
  };
}

function resolved(document: OpenApiNode, described: OpenApiNode): OpenApiNode {
  const ref = described.$ref as unknown as string | undefined;
  return ref === undefined ? described : at(document, ...ref.slice(2).split('/'));
}

/** The paths that a template of the document means. */
export function pathPattern(template: string): RegExp {
  return new RegExp(
    `^${template
      .split(/\{\w+\}/)
      .map(RegExp.escape)
      .join('[^/]+')}$`,
  );
}

/** What is refused before anybody looks whether the path takes the method. */
const PARSE_REFUSALS = [400, 408, 414, 431];

function at(document: OpenApiNode, ...keys: string[]): OpenApiNode {
  return keys.reduce((node, key) => node?.[key] as OpenApiNode, document);
}
