/** E-mail addresses that people type: what counts as one, and when two are the same. */

/** RFC 5321, with the two brackets that it counts. */
const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
/** Characters that need quoting, separate addresses, end a header, or show nothing. */
const FORBIDDEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}",:;<>()[\]\\]/u;
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * The address to send mail to, with its domain in lower case and ASCII; the part before `@` stays as typed. `null` =
 * not an address that we accept: one `@`, a domain with a dot, no quotes, lists or control characters.
 */
export function parseEmailAddress(text: string): string | null {
  const trimmed = text.trim();
  const at = trimmed.indexOf('@');
  if (at < 1 || at > MAX_LOCAL_LENGTH || at !== trimmed.lastIndexOf('@') || FORBIDDEN.test(trimmed)) return null;
  const local = trimmed.slice(0, at);
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return null;
  // The parser of web addresses writes other alphabets in ASCII.
  const domain = URL.parse(`http://${trimmed.slice(at + 1)}`)?.host ?? '';
  const address = `${local}@${domain}`;
  return DOMAIN.test(domain) && Buffer.byteLength(address) <= MAX_LENGTH ? address : null;
}

/** What addresses are compared by. Nearly every provider ignores case; nothing else is the same everywhere. */
export function emailKey(address: string): string {
  return address.toLowerCase();
}

/** Domains whose mailboxes ignore dots before the `@`. */
const IGNORING_DOTS = ['gmail.com', 'googlemail.com'];

/**
 * What an address counts as where one mailbox may have something only once (a trial, a free key): without a `+tag`, and
 * without dots where the provider ignores them.
 */
export function mailboxKey(address: string): string {
  const [local, domain] = emailKey(address).split('@') as [string, string];
  const untagged = local.split('+')[0] || local;
  const isGoogle = IGNORING_DOTS.includes(domain);
  return `${isGoogle ? untagged.replaceAll('.', '') : untagged}@${isGoogle ? 'gmail.com' : domain}`;
}

/** An address as a page shows it to whoever may not be its owner: its first letter and its domain. */
export function maskedAddress(address: string): string {
  return `${[...address][0]}…${address.slice(address.indexOf('@'))}`;
}
