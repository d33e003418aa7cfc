/** The fields of a form as browsers post it. */
import { parseQuery } from './request-target.ts';

/** The fields of an `application/x-www-form-urlencoded` body; `null` = malformed, or a field was sent twice. */
export function formFields(body: Buffer): Readonly<Record<string, string>> | null {
  const sent = parseQuery(body.toString('latin1'));
  if (sent === null || [...sent.values()].some(({ length }) => length > 1)) return null;
  return Object.fromEntries([...sent].map(([name, [value = '']]) => [name, value]));
}
