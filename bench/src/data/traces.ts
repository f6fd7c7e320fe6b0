import type { Random } from './random.js';
import { type Shape, timeOf } from './shape.js';

/** Spans of distributed traces: nested attributes and resources, an array of events in some. */

const services = ['frontend', 'cart', 'checkout', 'currency', 'email', 'payment', 'shipping', 'quote'] as const;
const kinds = ['server', 'client', 'internal', 'producer', 'consumer'] as const;
const tables = ['orders', 'items', 'users', 'prices'] as const;

function attributesOf(random: Random, kind: string): Record<string, unknown> {
  if (kind === 'internal') return { thread: { id: random.below(64), name: `worker-${random.below(64)}` } };
  if (kind === 'client' && random.chance(0.5))
    return {
      db: {
        system: 'postgresql',
        name: 'shop',
        statement: `SELECT * FROM ${random.pick(tables)} WHERE id = $1`,
        rows: random.pickSkewed(1000),
      },
    };
  if (kind === 'producer' || kind === 'consumer')
    return { messaging: { system: 'kafka', destination: `orders-${random.below(8)}`, offset: random.below(1e9) } };
  const status = random.chance(0.03) ? 500 : 200;
  return {
    http: {
      method: random.chance(0.7) ? 'GET' : 'POST',
      status_code: status,
      route: `/api/v1/${random.pick(tables)}/{id}`,
    },
    net: { peer: { ip: `10.0.${random.below(16)}.${random.below(256)}`, port: 1024 + random.below(60_000) } },
  };
}

function event(random: Random, index: number): string {
  const service = random.pick(services);
  const kind = random.pick(kinds);
  const pod = random.below(12);
  const failed = random.chance(0.02);
  return JSON.stringify({
    _time: timeOf(random, index, 2000),
    trace_id: random.hex(32),
    span_id: random.hex(16),
    parent_span_id: random.chance(0.1) ? null : random.hex(16),
    name: `${service}.${kind}`,
    kind,
    duration: Math.floor(random.latency(3_000_000)),
    status: failed ? { code: 'ERROR', message: 'deadline exceeded' } : { code: 'OK' },
    service: { name: service, version: `2.${random.below(4)}.0` },
    resource: {
      host: { name: `node-${random.below(6)}`, arch: 'amd64' },
      k8s: { namespace: 'shop', pod: { name: `${service}-${pod}`, restarts: random.pickSkewed(5) } },
    },
    attributes: attributesOf(random, kind),
    ...(failed && {
      events: [
        { name: 'exception', attributes: { type: 'DeadlineExceeded', escaped: false }, offset: random.below(1e6) },
      ],
    }),
  });
}

const low = 'LowCardinality(String)';
const tuple = (...members: readonly string[]): string => `Tuple(${members.join(', ')})`;

export const traces: Shape = {
  name: 'traces',
  title: 'Nested traces',
  event,
  sortKey: '_time',
  flat: false,
  columns: [
    { name: '_time', type: "DateTime64(6, 'UTC')", duck: 'TIMESTAMP' },
    { name: 'trace_id', type: 'String', duck: 'VARCHAR' },
    { name: 'span_id', type: 'String', duck: 'VARCHAR' },
    { name: 'parent_span_id', type: 'Nullable(String)', duck: 'VARCHAR' },
    { name: 'name', type: low, duck: 'VARCHAR' },
    { name: 'kind', type: low, duck: 'VARCHAR' },
    { name: 'duration', type: 'UInt64', duck: 'UBIGINT' },
    {
      name: 'status',
      type: tuple(`code ${low}`, 'message Nullable(String)'),
      duck: 'STRUCT(code VARCHAR, message VARCHAR)',
    },
    { name: 'service', type: tuple(`name ${low}`, `version ${low}`), duck: 'STRUCT(name VARCHAR, version VARCHAR)' },
    {
      name: 'resource',
      type: tuple(
        `host ${tuple(`name ${low}`, `arch ${low}`)}`,
        `k8s ${tuple(`namespace ${low}`, `pod ${tuple(`name ${low}`, 'restarts UInt16')}`)}`,
      ),
      duck: 'STRUCT(host STRUCT(name VARCHAR, arch VARCHAR), k8s STRUCT(namespace VARCHAR, pod STRUCT(name VARCHAR, restarts USMALLINT)))',
    },
    {
      name: 'attributes',
      type: tuple(
        `http ${tuple('method Nullable(String)', 'status_code Nullable(UInt16)', 'route Nullable(String)')}`,
        `net ${tuple(`peer ${tuple('ip Nullable(String)', 'port Nullable(UInt16)')}`)}`,
        `db ${tuple('system Nullable(String)', 'name Nullable(String)', 'statement Nullable(String)', 'rows Nullable(UInt32)')}`,
        `messaging ${tuple('system Nullable(String)', 'destination Nullable(String)', 'offset Nullable(UInt64)')}`,
        `thread ${tuple('id Nullable(UInt16)', 'name Nullable(String)')}`,
      ),
      duck: 'JSON',
    },
    { name: 'events', type: 'String', duck: 'JSON' },
  ],
};
