/** The errors of a collection that runs into another one. */

/** The other collection did not end in time. */
export class LeaseTaken extends Error {}

/** The lease was lost: another process may be collecting, so nothing may be published. */
export class LeaseLost extends Error {
  constructor() {
    super('the lease on collecting was lost during the run; no price of it was stored');
  }
}
