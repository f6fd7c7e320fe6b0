/** Allowed imports. */

/** Package → the workspace packages it may import, and whether it may import `node:` modules. */
export const layers: Readonly<Record<string, { readonly imports: readonly string[]; readonly node: boolean }>> = {
  sql: { imports: [], node: false },
  timestamps: { imports: [], node: false },
  apl: { imports: ['sql', 'timestamps'], node: false },
  mpl: { imports: ['sql', 'apl'], node: false },
  promql: { imports: ['apl', 'mpl'], node: false },
  logql: { imports: ['apl', 'mpl', 'promql'], node: false },
  events: { imports: ['timestamps'], node: true },
  log: { imports: [], node: true },
  engine: { imports: ['sql'], node: true },
  runtime: { imports: [], node: true },
  api: { imports: ['events'], node: true },
  metadata: { imports: ['engine', 'runtime', 'api'], node: true },
  http: { imports: ['apl', 'events', 'runtime', 'api', 'metadata'], node: true },
  storage: { imports: ['sql', 'apl', 'events', 'log', 'engine', 'runtime', 'api', 'metadata'], node: true },
  ingest: { imports: ['timestamps', 'events', 'runtime', 'api', 'metadata', 'http', 'storage'], node: true },
  query: {
    imports: [
      'sql',
      'timestamps',
      'apl',
      'mpl',
      'promql',
      'logql',
      'events',
      'log',
      'engine',
      'runtime',
      'api',
      'metadata',
      'http',
      'storage',
    ],
    node: true,
  },
  alerts: { imports: ['apl', 'runtime', 'api', 'metadata', 'http', 'query'], node: true },
  sources: { imports: ['timestamps', 'runtime', 'api', 'metadata', 'http'], node: true },
  mcp: { imports: ['timestamps', 'apl', 'api', 'metadata', 'http', 'query', 'alerts'], node: true },
  server: {
    imports: [
      'sql',
      'timestamps',
      'apl',
      'mpl',
      'logql',
      'events',
      'log',
      'engine',
      'runtime',
      'api',
      'metadata',
      'http',
      'storage',
      'ingest',
      'query',
      'alerts',
      'sources',
      'mcp',
    ],
    node: true,
  },
  client: { imports: [], node: false },
  testing: { imports: ['client'], node: true },
  'sample-data': { imports: [], node: false },
  cli: { imports: ['timestamps', 'apl', 'log', 'http', 'sources', 'server', 'client', 'sample-data'], node: true },
  // The command finds the built console as files; nothing imports it.
  console: { imports: ['timestamps', 'apl', 'mpl', 'client', 'sample-data'], node: false },
};

/** Packages with layers between their folders: folder → the folders it may import. */
export const folderLayers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  // `''` stands for the files next to the folders. In `query` they combine all folders, and only
  // `mpl`, `promql`, `logql` and `routes` may import them.
  query: {
    schedule: [],
    run: ['schedule'],
    compile: ['schedule', 'run'],
    structured: ['compile'],
    results: ['compile', 'schedule', 'run'],
    mpl: ['', 'compile', 'schedule', 'run'],
    promql: ['', 'mpl'],
    logql: ['', 'compile', 'results', 'run', 'mpl', 'promql'],
    routes: ['', 'results', 'compile', 'schedule', 'run', 'structured', 'mpl', 'promql', 'logql'],
  },
  server: {
    backup: [],
    dashboards: [],
    'docs-gen': [],
    'lookup-data': [],
    'sign-in': ['orgs'],
    orgs: [],
    provisioning: ['dashboards', 'routes'],
    routes: ['dashboards', 'orgs', 'sign-in'],
    scim: ['routes'],
    startup: ['', 'backup', 'dashboards', 'lookup-data', 'orgs', 'provisioning', 'routes', 'scim', 'sign-in'],
  },
};

/**
 * Folder of the console → the folders it may import: downwards only, and `pages/one` never
 * `pages/other`.
 */
export const consoleFolders: Readonly<Record<string, readonly string[]>> = {
  theme: [],
  data: ['theme'],
  widgets: ['data', 'theme'],
  editor: ['data', 'theme', 'widgets'],
  charts: ['data', 'theme', 'widgets'],
  rows: ['data', 'theme', 'widgets'],
  waterfall: ['data', 'theme', 'rows', 'widgets'],
  workbench: ['data', 'editor', 'theme', 'rows', 'widgets'],
  pages: ['charts', 'data', 'editor', 'theme', 'rows', 'waterfall', 'widgets', 'workbench'],
  app: ['charts', 'data', 'editor', 'theme', 'pages', 'rows', 'waterfall', 'widgets', 'workbench'],
};

/** Registry packages that only the named workspace packages may import. */
export const dependencyOwners: Readonly<Record<string, readonly string[]>> = {
  chdb: ['engine'],
  'ffi-rs': ['engine'],
  // Backup and restore copy the metadata file themselves.
  libsql: ['metadata', 'server'],
  kysely: ['metadata', 'storage', 'server'],
  pg: ['metadata'],
  fastify: ['http', 'server'],
  '@node-rs/crc32': ['log'],
  assemblyscript: ['events'],
  '@modelcontextprotocol/server': ['mcp'],
  'openid-client': ['server'],
  jose: ['server'],
  '@platformatic/kafka': ['sources'],
  aws4fetch: ['sources'],
  react: ['console'],
  'playwright-core': ['console'],
};
