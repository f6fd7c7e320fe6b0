/** Who may import whom. */

/** Package → the workspace packages it may import, and whether it may import `node:` modules. */
export const layers: Readonly<Record<string, { readonly imports: readonly string[]; readonly node: boolean }>> = {
  sql: { imports: [], node: false },
  times: { imports: [], node: false },
  apl: { imports: ['sql', 'times'], node: false },
  events: { imports: ['times'], node: true },
  log: { imports: [], node: true },
  engine: { imports: ['sql'], node: true },
  server: { imports: ['sql', 'times', 'apl', 'events', 'log', 'engine'], node: true },
  client: { imports: [], node: false },
  sample: { imports: [], node: false },
  cli: { imports: ['apl', 'client', 'log', 'sample', 'server'], node: true },
  // The command finds the built console as a file; nothing imports it.
  console: { imports: ['apl', 'client', 'sample'], node: false },
};

/**
 * The folder of the server that joins all the others: it may import everything, and nothing imports
 * it.
 */
export const compositionRoot = 'start';

/**
 * Folder of the server → the folders beside it that it may import: layers, without a circle. The
 * files beside the folders may be imported by all.
 */
export const serverFolders: Readonly<Record<string, readonly string[]>> = {
  async: [],
  memory: [],
  settings: [],
  schemas: [],
  metadata: ['async', 'schemas'],
  access: ['metadata', 'schemas'],
  nodes: ['async', 'metadata'],
  datasets: ['async', 'metadata', 'schemas'],
  http: ['access', 'async', 'memory', 'metadata', 'schemas', 'settings'],
  storage: ['async', 'datasets', 'memory', 'metadata', 'schemas'],
  ingest: ['access', 'async', 'datasets', 'http', 'memory', 'metadata', 'schemas', 'settings', 'storage'],
  query: ['access', 'async', 'http', 'memory', 'metadata', 'schemas', 'settings', 'storage'],
  durability: ['async', 'http', 'metadata', 'query', 'schemas', 'storage'],
  alerts: ['access', 'async', 'datasets', 'metadata', 'nodes', 'query', 'schemas', 'settings'],
  routes: ['access', 'alerts', 'dashboards', 'datasets', 'http', 'metadata', 'nodes', 'schemas', 'settings'],
  reference: ['settings'],
  dashboards: ['http', 'metadata', 'schemas'],
  pages: ['http', 'ingest', 'settings'],
};

/**
 * Folder of `query` → those that it may import. The files beside them join everything, and only
 * `routes` may import these.
 */
export const queryFolders: Readonly<Record<string, readonly string[]>> = {
  run: [],
  compile: ['run'],
  structured: ['compile'],
  answers: ['compile', 'run'],
  routes: ['', 'answers', 'compile', 'run', 'structured'],
};

/**
 * Folder of the console → the folders beside it that it may import: downwards only, and `pages/one`
 * never `pages/other`.
 */
export const consoleFolders: Readonly<Record<string, readonly string[]>> = {
  look: [],
  data: ['look'],
  widgets: ['data', 'look'],
  editor: ['data', 'look', 'widgets'],
  charts: ['data', 'look', 'widgets'],
  rows: ['data', 'look', 'widgets'],
  traces: ['data', 'look', 'rows', 'widgets'],
  workbench: ['data', 'editor', 'look', 'rows', 'widgets'],
  pages: ['charts', 'data', 'editor', 'look', 'rows', 'traces', 'widgets', 'workbench'],
  app: ['charts', 'data', 'editor', 'look', 'pages', 'rows', 'traces', 'widgets', 'workbench'],
};

/** Packages from the registry that only one of ours may import. */
export const wardens: Readonly<Record<string, string>> = {
  chdb: 'engine',
  'ffi-rs': 'engine',
  libsql: 'server',
  kysely: 'server',
  pg: 'server',
  fastify: 'server',
  '@node-rs/crc32': 'log',
  assemblyscript: 'events',
  react: 'console',
  'playwright-core': 'console',
};
