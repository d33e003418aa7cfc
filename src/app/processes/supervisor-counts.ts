/** What a supervisor counts. */
export type SupervisorCounts = {
  /** Processes that there should be. */
  readonly configured: number;
  /** Processes that accept connections. */
  readonly serving: number;
  /** How often a process that had ended by itself, or hung and was killed, was replaced. */
  readonly replaced: number;
};
