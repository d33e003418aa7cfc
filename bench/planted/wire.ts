/** Faults on the wire: the fast lane, what it reads at a glance, how answers and refusals are written. */
import type { Fault } from './fault.ts';

const READ = 'src/api/simple-read.ts';
const WIRE = 'src/api/wire.ts';
const LANE = 'src/api/lane.ts';
const ERRORS = 'src/api/wire-errors.ts';
const READS = ['src/api/simple-read.test.ts'];
const WIRES = ['src/api/wire.test.ts'];
const LANES = ['src/api/lane.test.ts'];
const PIPELINING = ['test/contract/pipelining.test.ts'];
const MALFORMED = ['test/contract/malformed.test.ts'];

export const WIRE_FAULTS: readonly Fault[] = [
  {
    name: 'lane-takes-a-body',
    harm: 'the body of a GET is read as the next request: whoever shares the connection gets its answer',
    file: READ,
    from: "'content-length',",
    to: '',
    tests: READS,
  },
  {
    name: 'lane-takes-two-hosts',
    harm: 'a proxy and the service read a request in two ways',
    file: READ,
    from: '|| headers[name] !== undefined',
    to: '',
    tests: READS,
  },
  {
    name: 'lane-unfolds-headers',
    harm: 'a folded line is passed over, and a header is half of what was sent',
    file: READ,
    from: "if (name === '' ||",
    to: "if (line.startsWith(' ')) continue;\n    if (name === '' ||",
    tests: READS,
  },
  {
    name: 'lane-splits-at-line-feeds',
    harm: 'a bare line feed hides a header from a proxy, and the service reads it',
    file: READ,
    from: ".split('\\r\\n')",
    to: '.split(/\\r?\\n/)',
    tests: READS,
  },
  {
    name: 'lane-takes-two-keys',
    harm: 'of two keys one is taken and the other passed over',
    file: READ,
    from: 'if (KEY_LINE.test(others)) return null;',
    to: '',
    tests: READS,
  },
  {
    name: 'headers-remembered-for-ever',
    harm: 'a client that sends other headers each time fills the memory',
    file: READ,
    from: 'if (known.size >= MEMORY) known.clear();',
    to: '',
    tests: READS,
  },
  {
    name: 'wire-without-length',
    harm: 'a client cannot tell where an answer ends, and waits',
    file: WIRE,
    from: `Content-Length: \${bytes.length}\\r\\n`,
    to: '',
    tests: WIRES,
  },
  {
    name: 'quota-of-another-key',
    harm: 'what one key has left is told to whoever asks next',
    file: WIRE,
    from: 'status === 200 && extra === undefined',
    to: 'status === 200',
    tests: ['test/contract/cheie.test.ts'],
  },
  {
    name: 'head-of-another-answer',
    harm: 'a slow reader gets the headers that were meant for somebody else',
    file: WIRE,
    from: 'if (socket.writableLength === 0) roomy',
    to: 'if (socket.writableLength >= 0) roomy',
    tests: WIRES,
  },
  {
    name: 'last-answer-unsaid',
    harm: 'a proxy sends its next request into a connection that is being closed',
    file: WIRE,
    from: `\`\${date}Connection: close`,
    to: `\`\${date}Connection: keep-alive`,
    tests: LANES,
  },
  {
    name: 'date-stands-still',
    harm: 'answers bear the date of the start of the process',
    file: WIRE,
    from: 'if (second !== dateSecond)',
    to: 'if (dateSecond < 0)',
    tests: WIRES,
  },
  {
    name: 'date-of-kept-answers-stands-still',
    harm: 'a price that is asked for all day bears the date of the morning',
    file: WIRE,
    from: 'if (second === this.#second)',
    to: 'if (this.#second >= 0)',
    tests: WIRES,
  },
  {
    name: 'answer-again-to-another-key',
    harm: 'on a connection of a proxy one client gets the refusal of another',
    file: LANE,
    from: '&& headers === before.headers',
    to: '',
    tests: LANES,
  },
  {
    name: 'handed-over-without-its-first-byte',
    harm: 'the first request that the lane does not understand is refused as none',
    file: LANE,
    from: '.unshift(chunk)',
    to: '.unshift(chunk.subarray(1))',
    tests: LANES,
  },
  {
    name: 'last-word-unanswered',
    harm: 'a client that ends its side behind its request gets no answer',
    file: LANE,
    from: 'this.finish();',
    to: 'this.cut();',
    tests: LANES,
  },
  {
    name: 'refused-twice',
    harm: 'a second refusal is taken for the answer to the next request',
    file: ERRORS,
    from: 'if (refused.has(socket)) return;',
    to: '',
    tests: [...MALFORMED, ...PIPELINING],
  },
  {
    name: 'broken-body-answered-twice',
    harm: 'a request whose body breaks off behind its answer gets a second one',
    file: ERRORS,
    from: '!latest.req.complete && latest.headersSent;',
    to: '!latest.req.complete && latest.headersSent && latest.statusCode < 0;',
    tests: [...MALFORMED, ...PIPELINING],
  },
  {
    name: 'refused-before-earlier-answers',
    harm: 'a refusal is taken for the answer to the request before it',
    file: ERRORS,
    from: 'latest === undefined || latest.writableFinished',
    to: 'latest === undefined || latest.req !== undefined',
    tests: [...MALFORMED, ...PIPELINING],
  },
  {
    name: 'refusal-without-length',
    harm: 'a refusal cut off half-way cannot be told from a whole one',
    file: ERRORS,
    from: "'Content-Length',\n    String(bytes.length),",
    to: '',
    tests: MALFORMED,
  },
];
