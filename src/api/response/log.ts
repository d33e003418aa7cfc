/** The part of a logger that the API uses; a pino logger is one. */
export type Log = {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
};
