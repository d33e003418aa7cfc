/** Checks that `serve` can listen where it is to. */
import { type Config, httpOrigin } from '../../../config/config.ts';
import { messageOf } from '../../../store/database-errors.ts';
import { type Finding, fail, pass } from '../../reports/finding.ts';
import { isOfAnotherMachine, ownAddress } from './own-addresses.ts';

const CHECK = 'address of serve';
const TIMEOUT_MS = 3_000;
const OTHER_PORT = 'stop it, or set PORT to another one';

/** Whether HOST is an address of this machine, and PORT is free or Pompa's already. */
export async function listeningFinding({ HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): Promise<Finding> {
  if (isOfAnotherMachine(HOST)) {
    const detail = `HOST is ${HOST}, which is no address of this machine: serve does not start`;
    return fail(CHECK, detail, 'set HOST to one of its addresses, such as 127.0.0.1');
  }
  if (PORT === 0) return pass(CHECK, 'on a free port, which serve prints');
  const origin = httpOrigin(ownAddress(HOST), PORT);
  try {
    const response = await fetch(`${origin}/livez`, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
    if ((await response.text()) === '{"status":"ok"}') return pass(CHECK, `${origin} answers`);
    return fail(CHECK, `something else than Pompa answers at ${origin}: serve does not start`, OTHER_PORT);
  } catch (error) {
    const { cause } = error as Error;
    if ((cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED')
      return pass(CHECK, `${origin}, once serve runs`);
    return fail(CHECK, `what listens on port ${PORT} is not Pompa: ${messageOf(cause ?? error)}`, OTHER_PORT);
  }
}
