/** Loaded before each test file: a property test ends at its first failure, which already detects the mutant. */
import fc from 'fast-check';

fc.configureGlobal({ endOnFailure: true });
