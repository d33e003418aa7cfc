import { test } from 'node:test';
import { assertRefused, runCommand } from '../../../test/support/run-command.ts';
import { UsageError } from '../../app/command.ts';
import { mcpCommand } from './mcp-command.ts';

test('a key is never sent unencrypted to another machine', () =>
  assertRefused(
    runCommand(mcpCommand, '--url http://pompa.example.ro', { MCP_API_KEY: 'geheim' }),
    UsageError,
    /^MCP_API_KEY would be readable on its way to pompa\.example\.ro: use https$/,
  ));

test('an address that is none is refused with an example', () =>
  assertRefused(
    runCommand(mcpCommand, '--url pompa.example.ro', {}),
    UsageError,
    /^--url must be an http or https address .* such as https:\/\/pompa\.example\.ro, not "pompa\.example\.ro"$/,
  ));
