/** What a supervisor counts. */
export type SupervisorCounts = {
  /** Processes that accept connections. */
  readonly serving: number;
  /** How often a process that had ended by itself was replaced. */
  readonly replaced: number;
};
