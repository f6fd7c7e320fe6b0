import { type RouteResponse, bytes } from '@millrace/http/route';
import type { HandshakeEndpoint, ShipperRequest } from '../protocol.js';
import { productHeader } from './errors.js';

/**
 * Requests that clients send before they ingest: the server's identity, its license, and whether
 * their templates exist. The responses let them continue.
 */

const uuid = 'bWlsbHJhY2UtY2x1c3Rlcg';
const since = '2024-01-01T00:00:00.000Z';
const until = '2100-01-01T00:00:00.000Z';

const rootOf = (version: string) => ({
  name: 'millrace',
  cluster_name: 'millrace',
  cluster_uuid: uuid,
  version: {
    number: version,
    build_flavor: 'default',
    build_type: 'tar',
    build_hash: 'unknown',
    build_date: since,
    build_snapshot: false,
    lucene_version: '9.9.2',
    minimum_wire_compatibility_version: '7.17.0',
    minimum_index_compatibility_version: '7.0.0',
  },
  tagline: 'You Know, for Search',
});

const license = {
  status: 'active',
  uid: uuid,
  type: 'basic',
  issue_date: since,
  issue_date_in_millis: Date.parse(since),
  expiry_date: until,
  expiry_date_in_millis: Date.parse(until),
  max_nodes: 1000,
  issued_to: 'millrace',
  issuer: 'millrace',
  start_date_in_millis: Date.parse(since),
};

const health = {
  cluster_name: 'millrace',
  status: 'green',
  timed_out: false,
  number_of_nodes: 1,
  number_of_data_nodes: 1,
  active_primary_shards: 1,
  active_shards: 1,
  relocating_shards: 0,
  initializing_shards: 0,
  unassigned_shards: 0,
};

export const elasticJson = (value: unknown, status = 200): RouteResponse =>
  bytes(JSON.stringify(value), 'application/json', status, productHeader);

const fixedAnswer = (path: string, value: unknown): HandshakeEndpoint => ({
  kind: 'handshake',
  methods: ['GET'],
  path,
  answer: () => elasticJson(value),
});

const acknowledgedBody = { acknowledged: true };

/**
 * Templates, policies and pipelines: all reads find them and all writes are acknowledged. Nothing
 * is stored.
 */
const setup = (path: string): HandshakeEndpoint[] => [
  fixedAnswer(path, {}),
  { kind: 'handshake', methods: ['PUT', 'POST'], path, answer: () => elasticJson(acknowledgedBody) },
];

/** Search routes: clients get an error that explains why there is no result. */
const searches = ['_search', '_msearch', '_count', '_mget'] as const;

const notServed = (path: string): HandshakeEndpoint => ({
  kind: 'handshake',
  methods: ['GET', 'POST'],
  path,
  answer() {
    const reason = 'events are not searched here; ask with APL: POST /v1/datasets/_apl';
    return elasticJson({ error: { type: 'resource_not_found_exception', reason }, status: 404 }, 404);
  },
});

export const handshake = (base: string): readonly HandshakeEndpoint[] => [
  {
    kind: 'handshake',
    methods: ['GET'],
    path: base,
    answer: (_, { elasticVersion }) => elasticJson(rootOf(elasticVersion)),
  },
  fixedAnswer(`${base}/_license`, { license }),
  fixedAnswer(`${base}/_xpack`, { features: {}, license }),
  fixedAnswer(`${base}/_xpack/{what}`, {}),
  fixedAnswer(`${base}/_cluster/health`, health),
  fixedAnswer(`${base}/_nodes`, { nodes: {} }),
  fixedAnswer(`${base}/_nodes/{what}`, { nodes: {} }),
  ...[
    '_ilm/policy',
    '_ilm/policy/{name}',
    '_ilm/status',
    '_template',
    '_index_template',
    '_index_template/{name}',
    '_template/{name}',
    '_component_template/{name}',
    '_data_stream/{name}',
    '_ingest/pipeline/{name}',
    '_alias/{name}',
    '_aliases',
    '_logstash/pipeline/{name}',
  ].flatMap((path) => setup(`${base}/${path}`)),
  {
    kind: 'handshake',
    methods: ['GET'],
    path: `${base}/_cat/{what*}`,
    answer: () => bytes('', 'text/plain; charset=UTF-8', 200, productHeader),
  },
  ...searches.flatMap((path) => [`${base}/${path}`, `${base}/{index}/${path}`]).map(notServed),
  fixedAnswer(`${base}/{index}`, {}),
  {
    kind: 'handshake',
    methods: ['PUT'],
    path: `${base}/{index}`,
    answer: ({ params: { index } }: ShipperRequest) =>
      elasticJson({ ...acknowledgedBody, shards_acknowledged: true, index }),
  },
];
