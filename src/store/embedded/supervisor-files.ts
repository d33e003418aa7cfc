/**
 * The supervisor's files in the home of an embedded database. They are named `keeper` because other versions of Pompa,
 * which may run beside this one, look for them under these names.
 */

/** Held by the one supervisor of a home. */
export const SUPERVISOR_LOCK = 'keeper.lock';
/** The output of the supervisors of a home. */
export const SUPERVISOR_LOG = 'keeper.log';
/** In the socket folder: clients connect to it. */
export const SUPERVISOR_SOCKET = 'keeper.sock';
