/** Which folder may import what, for the test of the architecture. */

/** Folders and packages that each folder of `src` may import, besides itself and Node's modules. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  concurrency: [],
  telemetry: [],
  algorithms: [],
  json: ['typebox'],
  files: [],
  domain: ['algorithms', 'node:crypto', 'node:zlib'],
  geodata: ['domain', 'algorithms'],
  'vector-tiles': ['domain', 'concurrency', 'algorithms', 'pbf', 'pmtiles'],
  dumps: ['domain', 'snapshot', 'files', 'json', 'hyparquet-writer'],
  config: ['domain', 'files', 'json', 'css-select'],
  clients: ['domain', 'concurrency', 'json', 'mqtt', 'nodemailer', 'stripe', 'undici', 'web-push'],
  sources: [
    ...['domain', 'clients', 'concurrency', 'algorithms', 'files', 'json'],
    ...['@rgrove/parse-xml', 'css-select', 'csv-parse', 'htmlparser2'],
  ],
  store: [
    ...['domain', 'files', 'concurrency', 'telemetry', 'json'],
    ...['kysely', 'pg', 'pg-copy-streams', 'tar-stream', 'typebox'],
  ],
  snapshot: ['domain', 'algorithms'],
  worker: [
    ...['domain', 'sources', 'clients', 'store', 'snapshot', 'dumps', 'concurrency', 'telemetry', 'files', 'json'],
    'kysely',
  ],
  api: [
    ...['domain', 'snapshot', 'store', 'clients', 'concurrency', 'telemetry', 'algorithms', 'json'],
    ...['fastify', 'typebox'],
  ],
  site: [
    ...['domain', 'snapshot', 'algorithms', 'concurrency', 'geodata', 'vector-tiles', 'dumps', 'leaflet'],
    ...['@resvg/resvg-wasm', '@expo-google-fonts/figtree'],
  ],
  mcp: ['api', 'domain', 'json', 'site', 'snapshot', '@modelcontextprotocol/server', 'ajv', 'fastify', 'typebox'],
  simulation: ['clients', 'domain', 'json', 'sources', 'ajv', 'postal-mime', 'smtp-server'],
  app: [
    ...['api', 'clients', 'config', 'domain', 'files', 'geodata', 'mcp', 'simulation', 'site', 'snapshot'],
    ...['sources', 'concurrency', 'telemetry', 'store', 'worker', 'vector-tiles', 'dumps', 'pino', 'prom-client'],
    ...['api', 'exporter-trace-otlp-http', 'resources', 'sdk-trace'].map((name) => `@opentelemetry/${name}`),
  ],
  cli: [
    ...['api', 'app', 'clients', 'concurrency', 'config', 'domain', 'files', 'geodata', 'simulation', 'snapshot'],
    ...['sources', 'store', 'worker', 'vector-tiles', 'dumps', 'json'],
    'kysely',
  ],
  'command-line.ts': ['app', 'cli', 'config', 'store', 'worker'],
  'main.ts': ['app', 'command-line.ts', 'config'],
  'start.ts': ['app', 'main.ts'],
};
/** Folders without I/O, which may not even import Node's modules except those listed above. */
export const PURE = ['domain', 'snapshot', 'algorithms', 'json'];
/** Names that they may import from those modules: pure functions. */
export const PURE_NAMES = ['hash', 'createHash', 'crc32'];

/** Sub-folders, innermost first, `.` for the files beside them: each may import only those before it. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  api: [
    ...['request', 'encoding', 'contract', 'response', 'rendering', 'access', 'declaration', 'counting', 'changes'],
    ...['webhooks', 'endpoints', 'billing', 'http/connection', 'http/fast-path', 'http', 'followers'],
  ],
  domain: [
    ...['.', 'pages', 'places', 'reports', 'stations', 'prices', 'changes', 'webhooks', 'roads', 'alerts', 'access'],
    ...['billing', 'mail'],
  ],
  store: [
    ...['.', 'embedded', 'connection/tables', 'connection', 'migrations'],
    ...['limits', 'keys', 'prices', 'changes', 'submissions', 'reviews'],
    ...['driver-reports', 'alerts', 'webhooks', 'germany', 'accounts', 'billing', 'backup', 'maintenance', 'dumps'],
  ],
  sources: [
    ...['.', 'feed', 'archive', 'manual', 'register/parsing', 'register/requests', 'register/splitting', 'register'],
    ...['rompetrol', 'locators', 'price-list'],
  ],
  clients: ['http', 'routing', '.'],
  mcp: ['call', 'tools', '.'],
  worker: [
    ...[
      'leases',
      'collection',
      'maintenance',
      'explain',
      'alerts',
      'changes',
      'webhooks',
      'billing',
      'serving',
      'replay',
      'dumps',
      'backups',
    ],
    '.',
  ],
  app: [
    ...[
      'log',
      'metrics',
      'tracing',
      'child',
      'settings',
      'database',
      'billing',
      'dumps',
      'backups',
      'followers',
      'mqtt',
    ],
    ...['webhooks', 'scheduled-work', 'readiness', '.', 'processes', 'demo', 'mock'],
  ],
  dumps: ['.', 'tables', 'formats', 'description', 'published'],
  cli: ['reports', '.', 'billing', 'doctor/network', 'doctor', 'mcp', 'moderation', 'processes'],
  site: [
    ...['html', 'pictures', 'browser', 'embed-code', 'service-worker', 'charts', 'map', 'tiles', 'previews', 'assets'],
    ...['lookup', 'frame', 'machine-files', 'parts', 'embeds', 'change-feeds', 'docs', 'terms', 'mails'],
    ...[
      'pages/alerts',
      'pages/billing',
      'pages/webhooks',
      'pages/city',
      'pages/county',
      'pages/days',
      'pages/embeds',
      'pages/germany',
      'pages/home',
      'pages/nearby',
      'pages/map',
      'pages/method',
      'pages/journey',
      'pages/motorways',
      'pages/network',
      'pages/not-found',
      'pages/open-data',
      'pages/offline',
      'pages/plans',
      'pages/privacy',
      'pages/search',
      'pages/station',
      'pages/statistics',
      'pages/status',
      'pages/terms',
      'pages/too-many',
      'pages',
    ],
  ],
  simulation: ['country', 'register', 'feeds', 'stripe', 'mailbox', '.'],
};
