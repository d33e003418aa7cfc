/** The place of a process among several that serve one address. */
import type { AcceptanceClaims } from '../store/limits/acceptance-claims.ts';

export type ServingPlace = {
  /** How many there are, this one included. */
  readonly processes: number;
  /** The listening socket that this process has inherited, and the address that it is bound to. */
  readonly socket: { readonly fd: number; readonly host: string };
  /**
   * Whether another process serves this socket until this one does: then it accepts no connection before it has
   * everything that its answers need.
   */
  readonly takesOver: boolean;
  /** What all of them accept while the database is away. */
  readonly claims: AcceptanceClaims;
};
