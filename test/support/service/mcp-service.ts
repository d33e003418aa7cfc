/** A service under test with `/mcp`, and clients of either era of the protocol. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ChangeLog } from '../../../src/api/changes/change-log.ts';
import type { Api, ApiOptions } from '../../../src/api/http/api-server.ts';
import { createJourneyPlanner } from '../../../src/app/routing-service.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import { mcpRoute } from '../../../src/mcp/mcp-route.ts';
import { newAddress } from '../builders/client-addresses.ts';
import { NOON } from '../builders/snapshot-builders.ts';

export type Era = 'legacy' | 'modern';

/** What the log was told, for tests that expect nothing. */
export const logged: unknown[] = [];

/** The parts that give a service under test its `/mcp`. */
export function withMcp(publicUrl = 'http://127.0.0.1', changes = new ChangeLog()): Partial<ApiOptions> {
  const gazetteer = loadGazetteer();
  return {
    changes,
    routesOn: ({ endpoints, accessControl, served, siteLimit }) => [
      {
        group: 'mcp',
        routes: mcpRoute({
          ...{ endpoints, accessControl, siteLimit, gazetteer, changes },
          journeys: createJourneyPlanner(gazetteer),
          rendered: () => served().rendered,
          publicUrl: () => publicUrl,
          simulated: false,
          clock: () => NOON,
          version: '0.0.0',
          log: { error: (fields) => void logged.push(fields), warn: () => undefined },
        }),
      },
    ],
  };
}

/** Connects as a client from an address, by default a new one, with or without a key. */
export async function connectMcp(
  { port }: { readonly port: number; readonly api: Api },
  { era = 'modern', from = newAddress(), key }: { era?: Era; from?: string; key?: string } = {},
): Promise<Client> {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const headers = { 'X-Forwarded-For': from, ...(key !== undefined && { 'X-Api-Key': key }) };
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

export type ToolReply = {
  readonly isError: boolean;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the client checks it against the schema that the server names
  readonly data: any;
};

/** Calls a tool; an error of the protocol rejects. */
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<ToolReply> {
  const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args });
  const [first] = content;
  return { isError, text: first?.type === 'text' ? first.text : '', data: structuredContent };
}
