/** The sources to mutate and the tests that should notice: whole folders, so that renames change nothing here. */

export type Suite = {
  /** Globs of the sources to mutate. */
  readonly sources: readonly string[];
  /** Globs of the test files; for each mutant only those run that reach it. */
  readonly tests: readonly string[];
  /** Whether the sources contain SQL and the tests need PostgreSQL. */
  readonly database: boolean;
};

export const SUITES: Readonly<Record<string, Suite>> = {
  /** Pure code: price verdicts, station matching, plans and windows, alerts. */
  rules: {
    sources: ['src/domain/*.ts', 'src/domain/{access,alerts,prices,stations}/*.ts', 'src/snapshot/*.ts'],
    tests: ['src/domain/**/*.test.ts', 'src/snapshot/**/*.test.ts'],
    database: false,
  },
  /** Access control and API keys. */
  access: {
    sources: ['src/api/access/*.ts', 'src/store/keys/*.ts'],
    tests: [
      'src/api/access/*.test.ts',
      'src/store/keys/*.test.ts',
      'test/contract/{cheie,crawlers,degraded,weekly}.test.ts',
    ],
    database: true,
  },
  /** Quotas, caps and windows, which the database decides. */
  limits: {
    sources: ['src/store/limits/*.ts'],
    tests: ['src/store/limits/*.test.ts', 'test/integration/limits/*.test.ts', 'test/contract/weekly.test.ts'],
    database: true,
  },
  /** Limits on writing reviews and reports of drivers, and their moderation. */
  reviews: {
    sources: ['src/store/{submissions,reviews,driver-reports}/*.ts'],
    tests: ['src/store/{reviews,driver-reports}/*.test.ts', 'test/contract/{review,reviews,report-form}.test.ts'],
    database: true,
  },
};
