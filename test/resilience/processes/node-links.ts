/**
 * The network of the servers of a cluster, in a process of its own: links to PostgreSQL and to the REST API of each
 * server, and from each to etcd. Called with the plan as JSON: where each link leads, by server.
 */
import { FaultyTcpLink } from '../../support/database/faulty-link.ts';

/** Ports on loopback. */
export type NodePorts = { readonly postgres: number; readonly rest: number; readonly etcd: number };
export type LinkedPorts = Readonly<Record<string, NodePorts>>;
export type NodeLinkCommand = { readonly node: string; readonly kind: 'pass' | 'drop' };
/** Sent after each command is carried out. */
export type NodeLinkReply = { readonly done: NodeLinkCommand['kind'] };

const links = new Map<string, FaultyTcpLink[]>();

async function open(node: string, to: NodePorts): Promise<NodePorts> {
  const own = [to.postgres, to.rest, to.etcd].map((port) => new FaultyTcpLink({ host: '127.0.0.1', port }));
  links.set(node, own);
  const [postgres = 0, rest = 0, etcd = 0] = await Promise.all(own.map((link) => link.listen()));
  return { postgres, rest, etcd };
}

const targets: [string, NodePorts][] = Object.entries(JSON.parse(process.argv[2] ?? '{}') as LinkedPorts);
const opened = await Promise.all(targets.map(async ([node, to]) => [node, await open(node, to)] as const));

process.on('message', ({ node, kind }: NodeLinkCommand) => {
  for (const link of links.get(node) ?? []) link.setFault({ kind: kind === 'drop' ? 'hole' : 'none' });
  process.send?.({ done: kind } satisfies NodeLinkReply);
});
const end = () => process.exit();
process.once('SIGTERM', end);
process.once('disconnect', end);
process.send?.(Object.fromEntries(opened) satisfies LinkedPorts);
