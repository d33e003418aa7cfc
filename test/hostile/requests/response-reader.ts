/** Parses the received bytes as strictly as the RFCs allow; guesses and skips nothing. */

export type ParsedResponse = {
  readonly status: number;
  /** By name in lower case; several `Link` headers are joined. */
  readonly headers: Readonly<Record<string, string>>;
  /** As received. */
  readonly body: Buffer;
};

/** The bytes are not a sequence of well-formed answers. */
export class MalformedResponse extends Error {}

const HEAD_END = Buffer.from('\r\n\r\n');
const LONGEST_HEAD = 4_096;

/**
 * Returns every answer in order. `methodOf` gives the method of a request by its number; `undefined` = unknown, so it
 * may have been HEAD.
 */
export function parseResponses(bytes: Buffer, methodOf: (number: number) => string | undefined): ParsedResponse[] {
  const answers: ParsedResponse[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(HEAD_END, at);
    if (end === -1 || end - at > LONGEST_HEAD) throw new MalformedResponse(`no head at byte ${at}`);
    const { status, headers } = parseHead(bytes.toString('latin1', at, end));
    at = end + HEAD_END.length;
    if (status === 100 && Object.keys(headers).length === 0) continue;
    const length = bodyLength(status, headers);
    const method = methodOf(answers.length);
    const without =
      method === 'HEAD' ||
      (method === undefined && (at === bytes.length || bytes.toString('latin1', at, at + 9) === 'HTTP/1.1 '));
    const taken = without ? 0 : length;
    if (at + taken > bytes.length)
      throw new MalformedResponse(`a body of ${bytes.length - at} bytes instead of ${length}`);
    answers.push({ status, headers, body: bytes.subarray(at, at + taken) });
    at += taken;
  }
  return answers;
}

function parseHead(text: string): Pick<ParsedResponse, 'status' | 'headers'> {
  const [first = '', ...lines] = text.split('\r\n');
  const status = /^HTTP\/1\.1 ([1-5]\d\d) [A-Za-z' -]+$/.exec(first)?.[1];
  if (status === undefined)
    throw new MalformedResponse(`a malformed status line: ${JSON.stringify(first.slice(0, 80))}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = /^([A-Za-z-]+): ([\x20-\x7e]*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined)
      throw new MalformedResponse(`a malformed header: ${JSON.stringify(line)}`);
    const key = name.toLowerCase();
    const before = headers[key];
    if (before !== undefined && key !== 'link') throw new MalformedResponse(`${name} twice`);
    headers[key] = before === undefined ? value : `${before}, ${value}`;
  }
  return { status: Number(status), headers };
}

function bodyLength(status: number, headers: Readonly<Record<string, string>>): number {
  const sent = headers['content-length'];
  if (headers['transfer-encoding'] !== undefined) throw new MalformedResponse('an answer without a length');
  if (status === 204 || status === 304) {
    if (sent !== undefined) throw new MalformedResponse(`a ${status} with a length`);
    return 0;
  }
  if (sent === undefined || !/^\d+$/.test(sent)) throw new MalformedResponse(`Content-Length ${sent}`);
  return Number(sent);
}
