/** Loaded before each test file: a property that fails ends at once, for a mutant is noticed by then. */
import fc from 'fast-check';

fc.configureGlobal({ endOnFailure: true });
