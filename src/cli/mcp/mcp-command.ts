/** `pompa mcp`: the MCP server of a service over stdio, for clients that start a program. */
import { type Command, type CommandCall, UsageError } from '../../app/command.ts';
import { version } from '../../app/settings/version.ts';
import { publicUrl } from '../../config/config.ts';
import { absoluteUrl, isLoopback } from '../../config/parse.ts';
import { parseFlag } from '../arguments.ts';
import { createServicePost } from './service-post.ts';
import { bridgeStdio } from './stdio-bridge.ts';

const EXAMPLE_URL = 'https://pompa.example.ro';

export const mcpCommand: Command = {
  name: 'mcp',
  usage: 'mcp [--url URL]',
  details: `Reads MCP messages on stdin, one a line, passes each to the service's /mcp, and writes the answers to stdout. For clients that start a program; others use the address itself.
  --url URL   the service, such as ${EXAMPLE_URL}; without it, the one that the settings of this machine describe
The key, if there is one, is read from MCP_API_KEY.`,
  flags: { url: { type: 'string' } },
  args: { min: 0, max: 0 },
  async run(call) {
    const { config, signal, terminal } = call;
    const url = new URL(`${serviceUrl(call)}/mcp`);
    const key = config.MCP_API_KEY;
    if (key !== null && url.protocol === 'http:' && !isLoopback(url))
      throw new UsageError(`MCP_API_KEY would be readable on its way to ${url.host}: use https`);
    const post = createServicePost({ url, key, userAgent: `pompa-mcp/${version()}` });
    if (terminal.interactive) terminal.err(`pompa mcp: answers from ${url.href}; waiting for messages on stdin`);
    await bridgeStdio({ input: process.stdin, output: process.stdout, post, signal });
    return 0;
  },
};

/** Without a trailing slash. An address that ends in /mcp is accepted, as it is what other clients are given. */
function serviceUrl(call: CommandCall): string {
  const given = parseFlag(call, 'url', absoluteUrl(EXAMPLE_URL));
  return (given ?? publicUrl(call.config, call.config.PORT)).replace(/\/mcp$/, '');
}
