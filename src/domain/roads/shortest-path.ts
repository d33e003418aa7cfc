import type { RoadGraph } from './road-graph.ts';

/** A start or destination of a search: a node, and the cost between it and the actual place. */
export type PathEndpoint = { readonly node: number; readonly cost: number };

/** The cheapest path: its nodes in order, and the edges between them. */
type Path = { readonly nodes: readonly number[]; readonly edges: readonly number[] };

/** Finds the cheapest path from any start to any destination; `undefined` if there is none. */
export type PathFinder = (from: readonly PathEndpoint[], to: readonly PathEndpoint[]) => Path | undefined;

/** Dijkstra's algorithm with a binary heap. It reuses its arrays, so a finder is not re-entrant. */
export function pathFinder(graph: RoadGraph): PathFinder {
  const costTo = new Float64Array(graph.nodes.length);
  const edgeTo = new Int32Array(graph.nodes.length);
  const queue = new PriorityQueue(2 * graph.edges.length + 4);
  return (from, to) => {
    costTo.fill(Number.POSITIVE_INFINITY);
    edgeTo.fill(-1);
    queue.clear();
    for (const { node, cost } of from) {
      if (cost >= (costTo[node] as number)) continue;
      costTo[node] = cost;
      queue.push(node, cost);
    }
    let best: PathEndpoint | undefined;
    let bestCost = Number.POSITIVE_INFINITY;
    while (queue.size > 0) {
      const cost = queue.minCost;
      if (cost >= bestCost) break;
      const node = queue.pop();
      if (cost > (costTo[node] as number)) continue;
      for (const end of to) {
        if (end.node !== node || cost + end.cost >= bestCost) continue;
        best = end;
        bestCost = cost + end.cost;
      }
      relax(graph, node, cost, costTo, edgeTo, queue);
    }
    return best && tracePath(graph, best.node, edgeTo);
  };
}

/** A start of a tree: a node, and how far and long it is from the actual place to it. */
export type TreeRoot = PathEndpoint & { readonly km: number; readonly minutes: number };

/** By node: the cost, distance and time of the cheapest path to it; infinite cost where there is none. */
export type PathTree = { readonly cost: Float64Array; readonly km: Float64Array; readonly minutes: Float64Array };

/** The cheapest paths from any of the roots to every node. */
export function shortestPathTree(graph: RoadGraph, roots: readonly TreeRoot[]): PathTree {
  const cost = new Float64Array(graph.nodes.length).fill(Number.POSITIVE_INFINITY);
  const edgeTo = new Int32Array(graph.nodes.length).fill(-1);
  const km = new Float64Array(graph.nodes.length);
  const minutes = new Float64Array(graph.nodes.length);
  const queue = new PriorityQueue(2 * graph.edges.length + roots.length);
  for (const root of roots) {
    if (root.cost >= (cost[root.node] as number)) continue;
    cost[root.node] = root.cost;
    km[root.node] = root.km;
    minutes[root.node] = root.minutes;
    queue.push(root.node, root.cost);
  }
  while (queue.size > 0) {
    const reached = queue.minCost;
    const node = queue.pop();
    if (reached > (cost[node] as number)) continue;
    const edge = graph.edges[edgeTo[node] as number];
    if (edge) {
      // The node before it is settled, so its distance and time are final.
      const before = edge.a === node ? edge.b : edge.a;
      km[node] = (km[before] as number) + edge.km;
      minutes[node] = (minutes[before] as number) + edge.minutes;
    }
    relax(graph, node, reached, cost, edgeTo, queue);
  }
  return { cost, km, minutes };
}

function relax(
  { edges, firstOf, incident }: RoadGraph,
  node: number,
  cost: number,
  costTo: Float64Array,
  edgeTo: Int32Array,
  queue: PriorityQueue,
): void {
  const last = firstOf[node + 1] as number;
  for (let index = firstOf[node] as number; index < last; index += 1) {
    const number = incident[index] as number;
    const edge = edges[number] as RoadGraph['edges'][number];
    const next = edge.a === node ? edge.b : edge.a;
    const reached = cost + edge.cost;
    if (reached >= (costTo[next] as number)) continue;
    costTo[next] = reached;
    edgeTo[next] = number;
    queue.push(next, reached);
  }
}

function tracePath({ edges }: RoadGraph, end: number, edgeTo: Int32Array): { nodes: number[]; edges: number[] } {
  const nodes = [end];
  const passed: number[] = [];
  for (let node = end; ; ) {
    const number = edgeTo[node] as number;
    const edge = edges[number];
    if (!edge) return { nodes: nodes.reverse(), edges: passed.reverse() };
    node = edge.a === node ? edge.b : edge.a;
    nodes.push(node);
    passed.push(number);
  }
}

/**
 * A binary heap of nodes, the lowest cost on top. A node may be in it several times; the search skips the later ones.
 */
class PriorityQueue {
  size = 0;
  readonly #nodes: Int32Array;
  readonly #cost: Float64Array;

  constructor(capacity: number) {
    this.#nodes = new Int32Array(capacity);
    this.#cost = new Float64Array(capacity);
  }

  clear(): void {
    this.size = 0;
  }

  get minCost(): number {
    return this.#cost[0] as number;
  }

  push(node: number, cost: number): void {
    let at = this.size;
    this.size += 1;
    while (at > 0) {
      const above = (at - 1) >>> 1;
      if ((this.#cost[above] as number) <= cost) break;
      this.#put(at, this.#nodes[above] as number, this.#cost[above] as number);
      at = above;
    }
    this.#put(at, node, cost);
  }

  pop(): number {
    const top = this.#nodes[0] as number;
    this.size -= 1;
    const node = this.#nodes[this.size] as number;
    const cost = this.#cost[this.size] as number;
    let at = 0;
    while (2 * at + 1 < this.size) {
      let below = 2 * at + 1;
      const other = below + 1;
      if (other < this.size && (this.#cost[other] as number) < (this.#cost[below] as number)) below = other;
      if ((this.#cost[below] as number) >= cost) break;
      this.#put(at, this.#nodes[below] as number, this.#cost[below] as number);
      at = below;
    }
    this.#put(at, node, cost);
    return top;
  }

  #put(at: number, node: number, cost: number): void {
    this.#nodes[at] = node;
    this.#cost[at] = cost;
  }
}
