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
  {
    name: 'waiting-requests-unbounded',
    harm: 'one client that sends requests and waits for no answer fills the memory',
    file: 'src/api/turns.ts',
    from: 'if (this.#waiting >= this.#mostWaiting && line.waiting >= ALWAYS_ALLOWED) {',
    to: 'if (this.#mostWaiting < 0) {',
    tests: ['src/api/turns.test.ts'],
  },
  {
    name: 'waiting-on-cut-connections-counts',
    harm: 'after a few floods every client that sends 65 requests ahead is cut, for ever',
    file: 'src/api/turns.ts',
    from: '      this.#waiting -= line.waiting;\n',
    to: '',
    tests: ['src/api/turns.test.ts'],
  },
  {
    name: 'requests-of-gone-connections',
    harm: 'each connection that goes at the wrong moment is kept for ever',
    file: 'src/api/door.ts',
    from: '    if (!this.#latest.has(request.socket)) return;\n',
    to: '',
    tests: ['src/api/door.test.ts'],
  },
  {
    name: 'rest-of-a-body-unbounded',
    harm: 'twenty clients with bodies in pieces of a byte hold up everybody for seconds',
    file: 'src/api/door.ts',
    from: 'if (pieces > MOST_PIECES) request.socket.destroy();',
    to: '',
    tests: ['test/contract/pipelining.test.ts'],
  },
  {
    name: 'heaps-at-once',
    harm: 'a hundred clients that each send two thousand requests in one go hold everybody up for seconds',
    file: 'src/api/lane.ts',
    from: 'if (chunk.length <= MUCH) this.#handOverNow(chunk);',
    to: 'if (chunk.length > 0) this.#handOverNow(chunk);',
    tests: ['src/api/lane.test.ts'],
  },
  {
    name: 'heavy-work-together',
    harm: 'the next heaps of all of them are read in one turn of the event loop',
    file: 'src/api/slices.ts',
    from: 'full = heavy || performance.now() >= end;',
    to: 'full = performance.now() >= end;',
    tests: ['src/api/slices.test.ts'],
  },
  {
    name: 'slices-without-end',
    harm: 'ten thousand requests that waited are answered in one turn, and nobody else meanwhile',
    file: 'src/api/slices.ts',
    from: 'full = heavy || performance.now() >= end;',
    to: 'full = heavy;',
    tests: ['src/api/slices.test.ts'],
  },
  {
    name: 'early-bytes-unbounded',
    harm: 'what a client sends while its answer is made is kept without an end',
    file: 'src/api/lane.ts',
    from: 'Buffer.concat([this.#early, chunk]);\n    this.#socket.pause();',
    to: 'Buffer.concat([this.#early, chunk]);',
    tests: ['src/api/lane.test.ts'],
  },
];
