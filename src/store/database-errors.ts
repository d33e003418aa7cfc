/** The operator must act before the database can be used: the start stops with this sentence. */
export class DatabaseMisconfigured extends Error {
  override name = 'DatabaseMisconfigured';
}

/** The database cannot be used now but may come back by itself: the caller goes on without it and tries again. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** Where the embedded database reports what an operator may want to know; a pino logger fits. */
export interface OperatorLog {
  info(message: string): void;
  warn(message: string): void;
}

/** The code of a Node.js system error (`ENOENT` …), or of the one behind it, or undefined. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof DatabaseUnavailable && error.cause !== undefined) return codeOf(error.cause);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  // Node.js tries every address of a host and reports them together, with an empty message.
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
