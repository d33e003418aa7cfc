/**
 * The network of the servers of a cluster, in a process of its own: links from other servers and from HAProxy to
 * PostgreSQL and the REST API of each, and from each to etcd. Called with the ports of each server as JSON.
 */
import { FaultyTcpLink } from '../../support/database/faulty-link.ts';

/** Ports on loopback, where a server listens. */
export type NodePorts = { readonly postgres: number; readonly rest: number; readonly etcd: number };
/** Ports of the links: those between a server and the rest of the cluster, and those from HAProxy to it. */
export type NodeLinks = {
  readonly cluster: NodePorts;
  readonly proxy: Pick<NodePorts, 'postgres' | 'rest'>;
};
export type NodeLinkCommand = {
  readonly node: string;
  readonly links: keyof NodeLinks;
  readonly kind: 'pass' | 'drop';
};
/** Sent after each command is carried out. */
export type NodeLinkReply = { readonly done: NodeLinkCommand['kind'] };

const opened = new Map<string, FaultyTcpLink[]>();

async function open(name: string, ports: readonly number[]): Promise<number[]> {
  const links = ports.map((port) => new FaultyTcpLink({ host: '127.0.0.1', port }));
  opened.set(name, links);
  return Promise.all(links.map((link) => link.listen()));
}

async function openNode(node: string, to: NodePorts): Promise<NodeLinks> {
  const [postgres = 0, rest = 0, etcd = 0] = await open(`${node} cluster`, [to.postgres, to.rest, to.etcd]);
  const [proxied = 0, check = 0] = await open(`${node} proxy`, [to.postgres, to.rest]);
  return { cluster: { postgres, rest, etcd }, proxy: { postgres: proxied, rest: check } };
}

const targets = Object.entries(JSON.parse(process.argv[2] ?? '{}') as Record<string, NodePorts>);
const nodes = await Promise.all(targets.map(async ([node, to]) => [node, await openNode(node, to)] as const));

process.on('message', ({ node, links, kind }: NodeLinkCommand) => {
  for (const link of opened.get(`${node} ${links}`) ?? []) link.setFault({ kind: kind === 'drop' ? 'hole' : 'none' });
  process.send?.({ done: kind } satisfies NodeLinkReply);
});
const end = () => process.exit();
process.once('SIGTERM', end);
process.once('disconnect', end);
process.send?.(Object.fromEntries(nodes) satisfies Record<string, NodeLinks>);
