/** What becomes of a collection when another one is under way. */

/** Nobody else's collection ended in time. */
export class LeaseTaken extends Error {}

/** The lease was lost: somebody else may be collecting, so nothing may be published. */
export class LeaseLost extends Error {
  constructor() {
    super('the lease on collecting was lost while the run was under way; nothing of it was stored');
  }
}
