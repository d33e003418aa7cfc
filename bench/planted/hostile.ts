/** Faults that hostile clients come upon: failures where there should be answers, and what is kept without bounds. */
import type { Fault } from './fault.ts';

const REQUESTS = ['test/faults/requests.test.ts'];

export const HOSTILE_FAULTS: readonly Fault[] = [
  {
    name: 'good-keys-unavailable',
    harm: 'whoever sends a good key is answered 503, which the documents tell of',
    file: 'src/api/gate.ts',
    from: "    if (found === 'unavailable') return refusal(KEY_UNVERIFIABLE, asked.cors);",
    to: '    if (found !== null) return refusal(KEY_UNVERIFIABLE, asked.cors);',
    tests: REQUESTS,
  },
  {
    name: 'nul-reaches-the-database',
    harm: 'a review with a NUL in its text is answered 503, by everybody at any time',
    file: 'src/domain/review.ts',
    from: "sent.replace(LINE_BREAKS, ' ').replace(ACTING, '')",
    to: "sent.replace(LINE_BREAKS, ' ')",
    tests: REQUESTS,
  },
];
