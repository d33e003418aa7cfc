/** Faults in ways by car: the built-in roads, the search, the operator's engine, the stations along a way. */
import type { Fault } from './fault.ts';

const GRAPH = 'src/domain/road-graph.ts';
const ROUTE = 'src/domain/route.ts';
const PATH = 'src/domain/shortest-path.ts';
const LINE = 'src/outside/engine-line.ts';
const ROUTER = 'src/outside/road-router.ts';
const WATCHED = 'src/outside/watched-router.ts';
const JOURNEY = 'src/api/endpoints/journey.ts';
const PRICED = 'src/api/priced-stations.ts';
const ROADS = ['src/domain/roads.test.ts'];
const BUILT_IN = ['src/roads.test.ts'];
const JOURNEYS = ['test/contract/traseu.test.ts'];

export const ROAD_FAULTS: readonly Fault[] = [
  {
    name: 'motorway-entered-anywhere',
    harm: 'a way leads onto the motorway in the middle of a field',
    file: GRAPH,
    from: "edge.class !== 'slip' && !MOTORWAYS.has(edge.class)",
    to: "edge.class !== 'slip'",
    tests: [...ROADS, ...BUILT_IN],
  },
  {
    name: 'towns-crossed-in-no-time',
    harm: 'every way leads through the towns instead of around them, and takes too little time',
    file: GRAPH,
    from: 'const crossing = layer === FAST ? 0 :',
    to: "const crossing = layer !== '' ? 0 :",
    tests: BUILT_IN,
  },
  {
    name: 'water-driven-through',
    harm: 'the way to Sulina leads through the Danube Delta',
    file: ROUTE,
    from: 'waters.some((outline) => inside(place, outline))',
    to: 'waters.some((outline) => outline.length === 0)',
    tests: [...ROADS, ...BUILT_IN],
  },
  {
    name: 'roads-from-afar',
    harm: 'a place abroad has a way, most of which is made up',
    file: ROUTE,
    from: 'entry.offKm <= FARTHEST_KM',
    to: 'entry.offKm <= 10 * FARTHEST_KM',
    tests: [...ROADS, ...BUILT_IN],
  },
  {
    name: 'first-way-found',
    harm: 'the first way found is taken, not the quickest',
    file: PATH,
    from: 'if (cost >= bestCost) break;',
    to: 'if (best) break;',
    tests: [...ROADS, ...BUILT_IN],
  },
  {
    name: 'heap-takes-the-dearer',
    harm: 'the search goes by the dearer of two ways',
    file: PATH,
    from: '< (this.#cost[below] as number)) below = other;',
    to: '> (this.#cost[below] as number)) below = other;',
    tests: [...ROADS, ...BUILT_IN],
  },
  {
    name: 'one-edge-by-its-ends',
    harm: 'the way to the next village leads by the next town and back',
    file: ROUTE,
    from: 'start.edge === end.edge ?',
    to: 'start.edge < 0 ?',
    tests: ROADS,
  },
  {
    name: 'line-without-its-end',
    harm: 'the line on the map ends before its destination',
    file: 'src/domain/line.ts',
    from: '(index * (line.length - 1)) / (most - 1)',
    to: '(index * (line.length - 1)) / most',
    tests: ['src/domain/corridor.test.ts'],
  },
  {
    name: 'stations-along-a-thinned-line',
    harm: 'a station on the road is kilometres away from it, and is not shown',
    file: JOURNEY,
    from: 'edition.along(found.line, tip, raza)',
    to: 'edition.along(waypoints(found.line), tip, raza)',
    tests: ['test/contract/traseu-engine.test.ts'],
  },
  {
    name: 'doubtful-price-on-a-route',
    harm: 'the cheapest station of a way has a price that the service itself doubts',
    file: PRICED,
    from: "verdict.kind === 'relied'",
    to: "'price' in verdict",
    tests: JOURNEYS,
  },
  {
    name: 'nearest-before-cheapest',
    harm: 'the first station of a way is not the cheapest',
    file: PRICED,
    from: 'a.place.price - b.place.price || a.km - b.km',
    to: 'a.km - b.km || a.place.price - b.place.price',
    tests: JOURNEYS,
  },
  {
    name: 'engine-leads-elsewhere',
    harm: 'an engine with the map of another country leads people astray',
    file: LINE,
    from: 'nearBy(line[0], from) && nearBy(line.at(-1), to)',
    to: 'line.length > 0',
    tests: ['src/outside/engine-line.test.ts', 'src/outside/road-router.test.ts'],
  },
  {
    name: 'engine-error-is-an-answer',
    harm: 'an engine that fails is asked by everybody, and everybody waits for it',
    file: ROUTER,
    from: 'down: true };\n      const answer',
    to: 'down: false };\n      const answer',
    tests: ['src/outside/road-router.test.ts'],
  },
  {
    name: 'engine-failures-told-each',
    harm: 'an engine that is down fills the log, a line a question',
    file: WATCHED,
    from: 'if (this.#told ||',
    to: 'if (',
    tests: ['src/outside/watched-router.test.ts'],
  },
  {
    name: 'engine-tried-by-all',
    harm: 'while one tries whether an engine is back, all others wait for it, too',
    file: 'src/outside/circuit.ts',
    from: 'trial && (this.#trying || this.#clock() < this.#openUntil)',
    to: 'trial && this.#clock() < this.#openUntil',
    tests: ['src/outside/circuit.test.ts', 'src/outside/watched-router.test.ts'],
  },
  {
    name: 'stations-beside-the-points',
    harm: 'a station between two points of a way is as far from it as the nearer point',
    file: 'src/domain/line-tree.ts',
    from: 'if (between &&',
    to: 'if (between && nx > 2 &&',
    tests: ['src/domain/corridor.test.ts'],
  },
];
