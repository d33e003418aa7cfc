/** What `pompa keys` prints, for people and for programs. */

import type { CommandCall } from '../../app/command.ts';
import type { Standing } from '../../domain/billing/standing.ts';
import { isoInstant } from '../../domain/days.ts';
import type { CreatedKey, KeyRecord, RotatedKey } from '../../store/keys/keys.ts';

type CallOutput = Pick<CommandCall, 'flags' | 'terminal'>;

/** Prints a new key, which is never shown again. */
export function printNewKey({ flags, terminal }: CallOutput, { id, key, plan, quota }: CreatedKey): void {
  if (flags.json) {
    terminal.out(JSON.stringify({ id, key, plan, quota }));
    return;
  }
  terminal.out(`key ${id}, plan ${plan}, ${quota} requests a month:`);
  terminal.out(key);
  terminal.out('This key will not be shown again: give it to its holder now.');
}

/** Prints a key's new secret, and until when the old one stays valid. */
export function printRotatedKey(output: CallOutput, rotated: RotatedKey): void {
  printNewKey(output, rotated);
  if (output.flags.json) return;
  const { oldValidUntil } = rotated;
  output.terminal.out(
    oldValidUntil === null ? 'The old key is revoked.' : `The old key is valid until ${isoInstant(oldValidUntil)}.`,
  );
}

/** The stored data of a key, on one line. */
export function printKey({ flags, terminal }: CallOutput, record: KeyRecord): void {
  terminal.out(flags.json ? JSON.stringify(keyObject(record)) : keyLine(record));
}

function keyObject({ id, last4, plan, quota, email, subscription, ...at }: KeyRecord) {
  return {
    ...{ id, last4, plan, quota, email, subscription },
    created: isoInstant(at.createdAt),
    last_used: at.lastUsedAt === null ? null : isoInstant(at.lastUsedAt),
    revoked: at.revokedAt === null ? null : isoInstant(at.revokedAt),
    ...(at.standing && { standing: standingObject(at.standing) }),
  };
}

function standingObject(standing: Standing) {
  const { isOpen: open, reason } = standing;
  return { open, reason, until: standing.isOpen ? isoInstant(standing.until) : null };
}

function keyLine(record: KeyRecord): string {
  const { id, last4, plan, quota, email, subscription, created, last_used, revoked, standing } = keyObject(record);
  return [
    `key ${id} ${last4 === null ? '(not mailed yet)' : `…${last4}`}: ${plan}, ${quota} requests a month`,
    email,
    subscription,
    `made ${created}`,
    last_used === null ? 'never used' : `last used ${last_used}`,
    revoked === null ? null : `REVOKED ${revoked}`,
    standing === undefined
      ? null
      : standing.open
        ? `${standing.reason} until ${standing.until}`
        : `CLOSED: ${standing.reason}`,
  ]
    .filter((part) => part !== null)
    .join(', ');
}
