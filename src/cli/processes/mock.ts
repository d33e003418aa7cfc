/** `pompa mock`: the API for tests of clients, always with the same answers. */
import type { Command } from '../../app/command.ts';
import { MOCK_KEY } from '../../app/mock/mock-access.ts';
import { startMock } from '../../app/mock/mock-service.ts';
import { whenAborted } from '../../concurrency/when-aborted.ts';

export const mockCommand: Command = {
  name: 'mock',
  usage: 'mock',
  details: `The API on simulated data of 20 November 2026, 10:00 in Romania, where its clock stands still: every start gives the same
answers. No database, no limits, no pages; what is posted is not stored. Any well-formed key is valid.
PORT, HOST and PUBLIC_URL are honoured.

A request chooses its answer by its status, and by the name of an example in /openapi.json:

  Prefer: code=429, example=weekly`,
  flags: {},
  args: { min: 0, max: 0 },
  async run({ config, terminal, signal }) {
    const write = ({ err }: { readonly err?: unknown }, text: string) =>
      terminal.err(err instanceof Error ? `${text}: ${err.message}` : text);
    const mock = await startMock(config, { warn: write, error: write });
    terminal.out(`listening on ${mock.address}`);
    terminal.out(`  curl -H 'X-Api-Key: ${MOCK_KEY}' '${mock.address}/api/v1/statii?oras=Cluj-Napoca&tip=gpl'`);
    terminal.out(`  curl -i -H 'Prefer: code=429, example=weekly' ${mock.address}/api/v1/retele`);
    await whenAborted(signal);
    await mock.close();
    return 0;
  },
};
