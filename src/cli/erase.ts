/** `pompa erase`: deletes everything personal of an address, of an e-mail address, or of everybody. */
import { type Command, type CommandCall, UsageError } from '../app/command.ts';
import { withDatabase } from '../app/database/configured-database.ts';
import { clientAddress } from '../domain/access/client-address.ts';
import { parseAddress } from '../domain/access/ip-address.ts';
import { NO_PROXIES } from '../domain/access/trusted-proxies.ts';
import type { Database } from '../store/connection/database.ts';
import type { Schema } from '../store/connection/schema.ts';
import { AddressHash } from '../store/limits/address-hash.ts';
import { type Erased, eraseClient, eraseEmail, eraseEverybody } from '../store/maintenance/erase.ts';

export const eraseCommand: Command = {
  name: 'erase',
  usage: 'erase ADDRESS-OR-EMAIL | erase --all [--yes] [--json]',
  details: `An address (IPv4, or any address of the /64 of an IPv6 one): its reviews of the last two days, its reports and
push subscriptions of the last seven, when it was last answered, its requests of the last minutes. Older ones carry no
address any more: delete them with reviews delete, reports delete and push delete.
An e-mail address: the API keys given out to it, with their usage, and its account with orders, subscriptions and
mails; the keys stop working within a second. A subscription goes on charging until you cancel it at Stripe.
--all: reviews, reports of drivers, push subscriptions, keys, accounts and counters of everybody, and the keys of the
hashes of addresses; prices and stations stay. At a terminal it needs --yes.
Prints how many rows of each kind were deleted. Not in reach: backups (delete the files), logs.`,
  flags: { all: { type: 'boolean' }, yes: { type: 'boolean' } },
  args: { min: 0, max: 1 },
  async run(call) {
    const { of, erase } = requestedErasure(call);
    const erased = await withDatabase(call, erase);
    const { terminal, flags } = call;
    if (flags.json) terminal.out(JSON.stringify({ of, ...erased }));
    else
      for (const [kind, count] of Object.entries(erased))
        terminal.out(`${kind.replaceAll('_', ' ')}: ${count} deleted`);
    terminal.err(REMAINS);
    if (erased.subscriptions > 0) terminal.err(SUBSCRIPTIONS_REMAIN);
    return 0;
  },
};

const REMAINS =
  'backups made before still contain what was deleted: delete those files, or erase again after restoring one';

const SUBSCRIPTIONS_REMAIN = 'Stripe keeps subscriptions and customers: cancel and delete them in its Dashboard';

type Erasure = {
  readonly of: 'address' | 'email' | 'all';
  readonly erase: (database: Database<Schema>) => Promise<Erased>;
};

/** The arguments may be personal data, so that no message repeats them. */
function requestedErasure({ args: [subject], flags, terminal }: CommandCall): Erasure {
  if ((subject === undefined) !== (flags.all === true))
    throw new UsageError('erase needs an address, an e-mail, or --all');
  if (subject === undefined) {
    if (terminal.interactive && flags.yes !== true)
      throw new UsageError('erase --all deletes all reviews, reports, push subscriptions and keys: add --yes');
    return { of: 'all', erase: eraseEverybody };
  }
  const address = subject.replace(/\/64$/, '');
  if (parseAddress(address) !== null) return { of: 'address', erase: (database) => eraseAddress(database, address) };
  if (!/^\S+@\S+$/.test(subject)) throw new UsageError('erase takes an IP address or an e-mail address');
  return { of: 'email', erase: (database) => eraseEmail(database, subject) };
}

async function eraseAddress(database: Database<Schema>, address: string): Promise<Erased> {
  const hashes = new AddressHash();
  await hashes.readKeys(database);
  return eraseClient(database, hashes, clientAddress(address, undefined, NO_PROXIES).client);
}
