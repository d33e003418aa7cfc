/** Sends answers through Fastify. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Bytes } from '../encoding/body.ts';
import { negotiate } from '../encoding/negotiation.ts';
import { corsAllowed } from '../request/cors.ts';
import type { Answer, AnswerStream, HeaderList } from '../response/answer.ts';
import { type Problem, problemAnswer } from '../response/problem.ts';

/** Sends an answer in the coding the client prefers. Sets nothing on the reply before the answer is complete. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer | Promise<Answer>,
): void | Promise<void> {
  if (answer instanceof Promise) return answer.then((settled) => sendAnswer(request, reply, settled));
  const { body, stream } = answer;
  reply.refusal = answer.refusal;
  if (stream !== undefined) return sendStream(request, reply, answer, stream);
  if (body === null) return void replyWith(reply, answer).send();
  const encoding = body.chooseEncoding(negotiate(request.headers['accept-encoding'] as string | undefined));
  const send = (bytes: Bytes): void => {
    replyWith(reply, answer);
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    reply.send(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  };
  const bytes = body.encoded(encoding);
  return bytes instanceof Promise ? bytes.then(send) : send(bytes);
}

/** Fastify only makes the head; from then on the response is the stream's. */
function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, extraHeaders = [] }: Answer,
  stream: AnswerStream,
): void {
  const { raw: response } = reply.hijack();
  // Its client has gone while access was decided.
  const { socket } = request.raw;
  const isGone = socket.destroyed || socket.readableEnded;
  if (!isGone) response.writeHead(status, headerRecord([...headers, ...extraHeaders]));
  if (!isGone && request.method !== 'HEAD') {
    // A client that left has only ended its side, until something is written to it.
    const leave = () => void response.destroy();
    socket.once('end', leave);
    response.once('close', () => socket.off('end', leave));
    stream.start(response);
  } else {
    stream.cancel();
    response.end();
  }
}

/** Refuses a request. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): void {
  void sendAnswer(request, reply, problemAnswer(problem, corsAllowed(request.method, request.url)));
}

function replyWith(reply: FastifyReply, { status, headers, extraHeaders = [] }: Answer): FastifyReply {
  return reply.code(status).headers(headerRecord([...headers, ...extraHeaders]));
}

/** A name that occurs twice, such as `Link`, has both values. */
function headerRecord(list: HeaderList): Record<string, string | string[]> {
  const record: Record<string, string | string[]> = {};
  for (let at = 0; at < list.length; at += 2) {
    const [name, value] = [list[at] as string, list[at + 1] as string];
    const known = record[name];
    record[name] = known === undefined ? value : [known, value].flat();
  }
  return record;
}
