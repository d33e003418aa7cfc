/** What somebody proves that an e-mail address is theirs for. */
export type LoginPurpose = 'login' | 'free_key' | 'new_address' | 'old_address';

/** How long a link and its code work. */
export const LOGIN_TOKEN_MS = 15 * 60_000;
/** How long the address before a change may take the account back. */
export const ADDRESS_UNDO_MS = 24 * 3_600_000;
/** How long after a login its session may change the address of the account. */
export const FRESH_SESSION_MS = 15 * 60_000;
/** How many wrong codes a browser may enter. */
export const MAX_CODE_TRIES = 5;
/** How long a session lasts without a visit. */
export const SESSION_MS = 30 * 24 * 3_600_000;
