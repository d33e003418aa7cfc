/** Checks the arguments of tools against their schemas, and says what is wrong in words that a model can act on. */
import type { jsonSchemaValidator } from '@modelcontextprotocol/server';
import { Ajv, type ErrorObject } from 'ajv';

const ajv = new Ajv({ allErrors: false, strict: false, messages: true });

/** For `fromJsonSchema`. */
export const argumentCheck: jsonSchemaValidator = {
  getValidator<T>(schema: object) {
    const validate = ajv.compile<T>(schema);
    const known = Object.keys('properties' in schema ? (schema.properties as object) : {});
    return (input: unknown) => {
      if (validate(input)) return { valid: true, data: input, errorMessage: undefined };
      const [error] = validate.errors ?? [];
      const errorMessage = error === undefined ? 'invalid' : errorText(error, known);
      return { valid: false, data: undefined, errorMessage };
    };
  },
};

function errorText({ keyword, params, instancePath, message }: ErrorObject, known: readonly string[]): string {
  const name = JSON.stringify(instancePath.slice(1));
  switch (keyword) {
    case 'additionalProperties':
      return `there is no argument ${JSON.stringify(params.additionalProperty)}; ${known.length === 0 ? 'it takes none' : `known are ${known.join(', ')}`}`;
    case 'required':
      return `the argument ${JSON.stringify(params.missingProperty)} is missing`;
    case 'enum':
      return `${name} must be one of ${(params.allowedValues as readonly string[]).join(', ')}`;
    default:
      return `${instancePath === '' ? 'the arguments' : name} ${message}`;
  }
}
