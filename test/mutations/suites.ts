/** What is mutated, and which tests are expected to notice. Whole folders, so that renames inside them change nothing here. */

export type Suite = {
  /** Globs of the sources that are mutated. */
  readonly sources: readonly string[];
  /** Globs of the test files that run; those that never reach a mutant are left out for it. */
  readonly tests: readonly string[];
  /** Whether the sources hold SQL, and the tests need PostgreSQL. */
  readonly database: boolean;
};

export const SUITES: Readonly<Record<string, Suite>> = {
  /** Verdicts on prices, matching of stations, plans and windows, alerts: pure. */
  rules: {
    sources: ['src/domain/*.ts', 'src/domain/{access,alerts,prices,stations}/*.ts', 'src/snapshot/*.ts'],
    tests: ['src/domain/**/*.test.ts', 'src/snapshot/**/*.test.ts'],
    database: false,
  },
  /** Who is calling, and may they: keys and what is refused. */
  access: {
    sources: ['src/api/access/*.ts', 'src/store/keys/*.ts'],
    tests: [
      'src/api/access/*.test.ts',
      'src/store/keys/*.test.ts',
      'test/contract/{cheie,crawlers,degraded,weekly}.test.ts',
    ],
    database: true,
  },
  /** Quotas, caps and windows, as the database decides them. */
  limits: {
    sources: ['src/store/limits/*.ts'],
    tests: ['src/store/limits/*.test.ts', 'test/integration/limits/*.test.ts', 'test/contract/weekly.test.ts'],
    database: true,
  },
  /** Who may write a review, and which are shown. */
  reviews: {
    sources: ['src/store/reviews/*.ts'],
    tests: ['src/store/reviews/*.test.ts', 'test/contract/{review,reviews}.test.ts'],
    database: true,
  },
};
