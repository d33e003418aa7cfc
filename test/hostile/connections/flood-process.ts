/**
 * Floods one endpoint after the other, on command. A flooder has a machine of its own: here it takes only the CPU that
 * the server and the reader leave, so that their times show what the server does and not how the machine is shared.
 */
import os from 'node:os';
import { ENDPOINT_FLOODS, type FloodTarget, flood, PLAIN_READ } from './endpoint-floods.ts';
import { OPEN_DATA_FLOODS } from './open-data-floods.ts';
import { SELLING_FLOODS } from './selling-floods.ts';
import { SITE_FLOODS } from './site-floods.ts';

/** Floods the endpoint of that name; `null` = stops. */
export type FloodCommand = (FloodTarget & { readonly start: string }) | { readonly start: null };
export type FloodReport = { readonly answered: number };

os.setPriority(os.constants.priority.PRIORITY_LOW);
let stop = new AbortController();
process.on('message', (command: FloodCommand) => {
  if (command.start === null) return stop.abort();
  stop = new AbortController();
  const chosen = [PLAIN_READ, ...ENDPOINT_FLOODS, ...SITE_FLOODS, ...SELLING_FLOODS, ...OPEN_DATA_FLOODS].find(
    ({ name }) => name === command.start,
  );
  if (chosen === undefined) throw new Error(`there is no flood "${command.start}"`);
  void flood(command, chosen, stop.signal).then((answered) => process.send?.({ answered } satisfies FloodReport));
});
process.once('SIGTERM', () => process.exit());
process.once('disconnect', () => process.exit());
