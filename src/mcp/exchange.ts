/** One message over HTTP and its answer, in either era of the protocol. Without sessions: each exchange is complete. */
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Log } from '../api/response/log.ts';
import type { ToolCall } from './call/tool-call.ts';
import { createMcpServer } from './mcp-server.ts';

export type Exchange = {
  readonly message: Readonly<Record<string, unknown>>;
  readonly call: ToolCall;
  readonly version: string;
  readonly log: Log;
};

export type ExchangeAnswer = { readonly status: number; readonly body: string };

/** Headers that the library reads; no other one reaches it. */
const PROTOCOL_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** Answers one message: JSON, or no body for a notification. */
export async function answerMessage({ message, call, version, log }: Exchange): Promise<ExchangeAnswer> {
  const headers = PROTOCOL_HEADERS.flatMap((name): [string, string][] => {
    const value = call.caller.headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const request = new Request(`${call.data.publicUrl}/mcp`, { method: 'POST', headers });
  const create = () => createMcpServer(call, version, log);
  const response = (await isLegacyRequest(request, message))
    ? await answerLegacy(request, message, create)
    : // No tool sends anything before its result, so that the answer is JSON.
      await createMcpHandler(create, { legacy: 'reject', keepAliveMs: 0 }).fetch(request, { parsedBody: message });
  return { status: response.status, body: await response.text() };
}

/** Revisions up to 2025-11-25, which begin with `initialize`. */
async function answerLegacy(request: Request, message: unknown, create: () => ReturnType<typeof createMcpServer>) {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = create();
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}
