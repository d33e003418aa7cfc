/** What the forms of an account carry besides the cookie, so that no other site can post them. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Derived from the secret of the session, which it does not reveal. */
export function formTokenOf(session: string): string {
  return createHash('sha256').update(`form ${session}`).digest('base64url');
}

/** Whether a form was made for this session. */
export function isFormToken(sent: string | undefined, session: string): boolean {
  const [own, given] = [Buffer.from(formTokenOf(session)), Buffer.from(sent ?? '')];
  return own.length === given.length && timingSafeEqual(own, given);
}
