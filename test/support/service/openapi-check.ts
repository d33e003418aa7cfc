/** Checks live answers against the OpenAPI document, which must describe their status, body and headers. */
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

/** Compiles a document into a check that throws when an answer is not as described. */
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
    const mediaType = String(seen.headers['content-type']).split(';', 1)[0] as string;
    validate(`${pointer}/content/${encodeURIComponent(mediaType.replaceAll('/', '~1'))}/schema`, seen);
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

/** Headers that clients act upon: the document must describe each one that is sent. */
const CLIENT_HEADERS = /^(access-control-|x-ratelimit-|retry-after$|allow$)/;

/** Finds the description of an answer. It compiles the path patterns once, because it checks many answers. */
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
  const unrouted = (status: number) => ({
    pointer: `/x-unrouted-responses/${status}`,
    response: at(document, 'x-unrouted-responses', String(status)),
  });
  return ({ method, target, status }: CheckedAnswer): { pointer: string; response: OpenApiNode } => {
    if (status === 405) return unrouted(405);
    const path = target.split('?', 1)[0] as string;
    const known = templates.find(({ pattern }) => pattern.test(path));
    if (known === undefined) return status === 404 || status === 410 ? unrouted(status) : shared('BadRequest');
    const key = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = at(document, 'paths', known.template, key);
    // A malformed request is refused before the service checks whether the path has the method.
    if (operation === undefined && PARSE_REFUSALS.includes(status)) return shared('BadRequest');
    const response = at(document, 'paths', known.template, key, 'responses', String(status));
    assert.ok(response, `${method} ${target}: status ${status} is not documented`);
    const ref = response.$ref as unknown as string | undefined;
    if (ref) return shared(ref.split('/').at(-1) as string);
    return { pointer: `/paths/${known.escaped}/${key}/responses/${status}`, response };
  };
}

function resolved(document: OpenApiNode, described: OpenApiNode): OpenApiNode {
  const ref = described.$ref as unknown as string | undefined;
  return ref === undefined ? described : at(document, ...ref.slice(2).split('/'));
}

/** A pattern that matches the paths of a template. */
export function pathPattern(template: string): RegExp {
  return new RegExp(
    `^${template
      .split(/\{\w+\}/)
      .map(RegExp.escape)
      .join('[^/]+')}$`,
  );
}

/** Refusals that come before the service checks the method. */
const PARSE_REFUSALS = [400, 408, 414, 431];

function at(document: OpenApiNode, ...keys: string[]): OpenApiNode {
  return keys.reduce((node, key) => node?.[key] as OpenApiNode, document);
}
