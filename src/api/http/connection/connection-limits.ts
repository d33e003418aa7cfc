/** How much of the server one connection may hold, and for how long. */
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
};

export const CONNECTION_LIMITS: ConnectionLimits = {
  requestMs: 8_000,
  headersMs: 4_000,
  checkIntervalMs: 500,
  keepAliveMs: 65_000,
  stallTimeoutMs: 20_000,
  shutdownGraceMs: 5_000,
  targetBytes: 8_000,
  headerBytes: 16 * 1024,
  bodyBytes: 16 * 1024,
  pipelinedRequests: 10_000,
  connections: 10_000,
};
