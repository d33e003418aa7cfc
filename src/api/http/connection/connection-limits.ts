/** What the server allows one connection, one client, one network, and all together. */
export type ConnectionLimits = {
  /** To receive a whole request. */
  readonly requestMs: number;
  /** To receive its headers. */
  readonly headersMs: number;
  /** How often the two limits above are checked. */
  readonly checkIntervalMs: number;
  /** How long a connection may idle between requests: longer than proxies keep theirs open. */
  readonly keepAliveMs: number;
  /** How long nothing may move, in either direction, while a request or an answer is under way. */
  readonly stallTimeoutMs: number;
  /**
   * How long a client may take to end its side of a connection after the last answer, while its bytes are discarded.
   */
  readonly lingerMs: number;
  /**
   * How long a process serves its open connections on when another one takes over the socket: longer than
   * `keepAliveMs`, so that no idle connection is closed sooner than it would have been anyway.
   */
  readonly drainMs: number;
  /** How long requests under way may take to finish when the service stops. */
  readonly shutdownGraceMs: number;
  /** Path and query, bytes. Source: RFC 9112, 3, recommends at least 8,000 octets for a request line. */
  readonly targetBytes: number;
  readonly headerBytes: number;
  readonly bodyBytes: number;
  /** Pipelined requests that wait for earlier answers, over all connections. */
  readonly pipelinedRequests: number;
  /** Open connections; each costs about 10 KB and a file handle. */
  readonly connections: number;
  /** Open connections of one client, an IPv4 address or the /64 of an IPv6 one, unless it is a trusted proxy. */
  readonly connectionsPerClient: number;
  /** Open connections of one network, a /24 of IPv4 or a /48 of IPv6. */
  readonly connectionsPerNetwork: number;
  /** How long a client may read nothing of its answer while a connection of its client, network or all is refused. */
  readonly refusingStallMs: number;
};

/**
 * Those of connections are upper bounds: the system's limit of open files may lower them
 * (`app/connection-limits-of-system.ts`).
 */
export const CONNECTION_LIMITS: ConnectionLimits = {
  requestMs: 8_000,
  headersMs: 4_000,
  checkIntervalMs: 500,
  keepAliveMs: 65_000,
  stallTimeoutMs: 20_000,
  lingerMs: 2_000,
  drainMs: 70_000,
  shutdownGraceMs: 5_000,
  targetBytes: 8_000,
  headerBytes: 16 * 1024,
  bodyBytes: 16 * 1024,
  pipelinedRequests: 10_000,
  connections: 10_000,
  connectionsPerClient: 1_000,
  connectionsPerNetwork: 2_500,
  refusingStallMs: 4_000,
};

/** Chunks of a body that are read, and as many that may still arrive after its answer. */
export const MAX_CHUNKS = 256;
