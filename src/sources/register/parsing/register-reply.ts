/** Classifies an answer of the register before its rows are parsed. */
import type { ReceivedResponse } from '../../../clients/http/response.ts';
import { type ParsedBody, parseJson, wrongShape } from './parse-json.ts';
import { parseXml } from './parse-xml.ts';
import { MAX_ANSWER_BYTES } from './register-ids.ts';

export type RegisterReply =
  | ParsedBody
  /** 500: a unit without a station for this fuel, or a register in trouble. The canary distinguishes them. */
  | { readonly kind: 'no-such' }
  /** Another status: 403, 404, … */
  | { readonly kind: 'http-error'; readonly status: number }
  /** No answer at all, after the retries. */
  | { readonly kind: 'none'; readonly why: string };

/** Parses the answer's status and shape. The body decides between JSON and XML, not the header, which may be wrong. */
export function parseReply({ status, body }: ReceivedResponse): RegisterReply {
  if (status === 500) return { kind: 'no-such' };
  if (status !== 200) return { kind: 'http-error', status };
  if (body.length > MAX_ANSWER_BYTES) return wrongShape(`the body is larger than ${MAX_ANSWER_BYTES} bytes`);
  const text = body.toString('utf8').replace(/^\u{feff}/u, '');
  return text.trimStart().startsWith('<') ? parseXml(text) : parseJson(text);
}
