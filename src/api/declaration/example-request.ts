/** A request that demonstrates an endpoint, built from the examples of its parameters and fields. */
import type { TSchema } from 'typebox';
import type { Endpoint } from './endpoint.ts';

export type ExampleRequest = {
  /** Path and query. */
  readonly target: string;
  /** `null` = no body is posted. */
  readonly body: Readonly<Record<string, unknown>> | null;
};

/** Sends what is required and what the declaration lists under `example`. */
export function exampleRequest({ path, parameters, fields, example = [] }: Endpoint): ExampleRequest {
  const shown = (name: string, required: boolean | undefined) => required === true || example.includes(name);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters[name]?.example)),
  );
  const query = Object.entries(parameters)
    .filter(([name, parameter]) => parameter.in === 'query' && shown(name, parameter.required))
    .map(([name, parameter]) => `${name}=${encodeURIComponent(String(parameter.example))}`)
    .join('&');
  const posted = Object.entries(fields ?? {})
    .filter(([name, { required }]) => shown(name, required))
    .map(([name, { schema }]) => [name, (schema as TSchema & { examples?: readonly unknown[] }).examples?.[0]]);
  return {
    target: query === '' ? filled : `${filled}?${query}`,
    body: fields === undefined ? null : Object.fromEntries(posted),
  };
}
