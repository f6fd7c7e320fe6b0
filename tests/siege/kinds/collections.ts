import { type Attack, attackedDataset, type Kind, type Rights } from '../attack.js';

/** Stored resources other than events: every query and every list has to process all of them. */

interface StoredResource {
  readonly path: string;
  readonly rights: Rights;
  /** A record that is this long, or nearly. */
  readonly body: (number: number, text: string) => object;
}

const onOrg = (resource: string): Rights => ({ orgCapabilities: { [resource]: ['create', 'read', 'update'] } });
const onDataset = (resource: string): Rights => ({
  datasetCapabilities: { [attackedDataset]: { [resource]: ['create', 'read'], query: ['read'] } },
});
const day = '2026-01-01T00:00:00Z';

const storedResources: Readonly<Record<string, StoredResource>> = {
  'virtual fields': {
    path: '/v2/vfields',
    rights: onDataset('virtualFields'),
    body: (number, text) => ({
      dataset: attackedDataset,
      name: `f${number}`,
      expression: `strcat(text, ${number}, '${text}')`,
    }),
  },
  views: {
    path: '/v2/views',
    rights: { orgCapabilities: { views: ['create', 'read'] }, ...onDataset('virtualFields') },
    body: (number, text) => ({
      name: `view${number}`,
      aplQuery: `${attackedDataset} | where text != '${text}'`,
      datasets: [attackedDataset],
    }),
  },
  'saved queries': {
    path: '/v2/apl-starred-queries',
    rights: onDataset('starredQueries'),
    body: (number, text) => ({
      kind: 'apl',
      dataset: attackedDataset,
      name: `query ${number}`,
      query: { apl: `${attackedDataset} | where text != '${text}'` },
      metadata: {},
    }),
  },
  annotations: {
    path: '/v2/annotations',
    rights: onOrg('annotations'),
    body: (number, text) => ({
      time: day,
      type: 'deploy',
      datasets: [attackedDataset],
      title: `${number}`,
      description: text.slice(0, 500),
    }),
  },
  dashboards: {
    path: '/v2/dashboards',
    rights: onOrg('dashboards'),
    body: (number, text) => ({
      dashboard: {
        name: `board ${number}`,
        owner: 'X-AXIOM-EVERYONE',
        charts: [{ id: 'note', name: 'Note', type: 'Note', text }],
        layout: [],
        refreshTime: 60,
        schemaVersion: 2,
        timeWindowStart: 'qr-now-1h',
        timeWindowEnd: 'qr-now',
      },
    }),
  },
  notifiers: {
    path: '/v2/notifiers',
    rights: onOrg('notifiers'),
    body: (number, text) => ({
      name: `notifier ${number}`,
      properties: { customWebhook: { url: 'https://example.com/', body: text } },
    }),
  },
  tokens: {
    path: '/v2/tokens',
    rights: onOrg('apiTokens'),
    body: (number, text) => ({
      name: `token ${number}`,
      description: text.slice(0, 500),
      orgCapabilities: { apiTokens: ['read'] },
    }),
  },
  'tokens with many rights': {
    path: '/v2/tokens',
    rights: { ...onOrg('apiTokens'), datasetCapabilities: { '*': { query: ['read'] } } },
    body: (number, text) => ({
      name: `strong ${number}`,
      datasetCapabilities: Object.fromEntries(
        Array.from({ length: text.length / 4 }, (_, i) => [`d${i}`, { query: ['read'] }]),
      ),
    }),
  },
  datasets: {
    path: '/v2/datasets',
    rights: onOrg('datasets'),
    body: (number, text) => ({ name: `made${number}`, description: text.slice(0, 1000) }),
  },
};

/** Stores records until the time is up, and requests their list and the resources they refer to. */
const fillRecords = (what: string, clients: number, bytes: number): Attack => {
  const { path, rights, body } = storedResources[what]!;
  return {
    name: `${what} of ${bytes} bytes, from ${clients} clients`,
    rights,
    run: (attacker) =>
      attacker.flood(
        clients,
        (function* () {
          const text = 'x'.repeat(bytes);
          for (let number = 0; ; number++) {
            yield { path, body: JSON.stringify(body(number, text)) };
            if (number % 50 === 49) yield { path };
            if (rights.datasetCapabilities !== undefined && number % 10 === 9)
              yield {
                path: '/v1/datasets/_apl?format=tabular',
                body: JSON.stringify({ apl: `${attackedDataset} | take 1` }),
              };
          }
        })(),
      ),
  };
};

export const collections: Kind = {
  attacks: [
    fillRecords('virtual fields', 4, 95_000),
    ...Object.keys(storedResources)
      .slice(1)
      .map((what) => fillRecords(what, 4, 10_000)),
  ],
  relative: (random) =>
    fillRecords(
      random.pick(Object.keys(storedResources)),
      random.between(1, 8),
      random.pick([10, 1000, 100_000, 1_000_000]),
    ),
};
