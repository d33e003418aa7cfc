/** One deliberate mistake in the product, and where the suite should notice it. */

/** A text that stands exactly once in a file, and what is put in its place. */
export type Edit = { readonly file: string; readonly from: string; readonly to: string };

/** The checks of `npm test` that are no test files. */
export const CHECKS = {
  lint: ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '--colors=off', '.'],
  types: ['node_modules/typescript/bin/tsc', '--noEmit'],
  unused: ['node_modules/knip/bin/knip.js', '--no-progress'],
} as const;

export type Fault = Edit & {
  /** Names the fault on the command line. */
  readonly name: string;
  /** What it would mean for a user or an operator. */
  readonly harm: string;
  /** Further edits of the same mistake. */
  readonly also?: readonly Edit[];
  /** The test files that are run against it. */
  readonly tests: readonly string[];
  /** A check that should notice it instead of a test. */
  readonly check?: keyof typeof CHECKS;
};

/** All edits of a fault. */
export function editsOf({ file, from, to, also = [] }: Fault): readonly Edit[] {
  return [{ file, from, to }, ...also];
}
