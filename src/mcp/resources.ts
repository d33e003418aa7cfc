/** Resources: the licence, the age of the data, the averages of a county, the description of the API. */
import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from '@modelcontextprotocol/server';
import { decodePath } from '../api/request/request-target.ts';
import { DATA_CREDIT, LICENCE, SERVICE_NAME } from '../domain/service-identity.ts';
import type { ToolCall } from './call/tool-call.ts';

const JSON_TYPE = 'application/json';

export function addResources(server: McpServer, call: ToolCall): void {
  const { publicUrl } = call.data;
  const text = `The data of ${SERVICE_NAME} (${publicUrl}) are licensed ${LICENCE.name}: ${LICENCE.url}\nCredit: ${SERVICE_NAME}, ${publicUrl}\n${DATA_CREDIT}\n`;
  server.registerResource(
    'licence',
    'pompa://licence',
    { title: 'Licence', description: 'The licence of the data and whom to credit.', mimeType: 'text/plain' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/plain', text }] }),
  );
  const jsonOf = async (href: string, answer: ReturnType<ToolCall['answerOf']>) => {
    const { body } = await answer;
    return { contents: [{ uri: href, mimeType: JSON_TYPE, text: body?.plain.toString() ?? '{}' }] };
  };
  server.registerResource(
    'data-age',
    'pompa://data-age',
    {
      title: 'Age of the data',
      description:
        'When the prices were last updated, how old the oldest source is, and how many prices there are: the answer of /api/v1/health.',
      mimeType: JSON_TYPE,
    },
    ({ href }) => jsonOf(href, call.answerOf('getHealth', {})),
  );
  server.registerResource(
    'openapi',
    'pompa://openapi',
    { title: 'Description of the API', description: 'The JSON API as OpenAPI 3.1.', mimeType: JSON_TYPE },
    ({ href }) => jsonOf(href, call.answerOf('getOpenApi', {})),
  );
  // One template says what 42 entries of a list would.
  const template = new ResourceTemplate('pompa://county/{county}', { list: undefined });
  server.registerResource(
    'county',
    template,
    {
      title: 'Average prices of a county',
      description:
        'By name or plate code; RON per litre. Counts as a request of /api/v1/judete. A refusal is the JSON of the API, too.',
      mimeType: JSON_TYPE,
    },
    ({ href }, { county }) => {
      // As it stands in the address: percent-encoded.
      const name = decodePath(String(county));
      const found = call.findCounty(name);
      if ('refusal' in found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, found.refusal);
      return jsonOf(href, call.answerOf('getCountyPrices', { segments: { judet: found.county.code } }));
    },
  );
}
