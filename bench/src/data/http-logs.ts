import type { Random } from './random.js';
import { type Shape, timeOf } from './shape.js';

/**
 * Access logs of a web shop: flat, 400 bytes per event, with two fields that differ in every event.
 */

const services = ['web', 'cart', 'checkout', 'search', 'payment', 'catalog', 'user', 'mail', 'stock', 'ads'] as const;
const methods = ['GET', 'GET', 'GET', 'GET', 'POST', 'POST', 'PUT', 'DELETE'] as const;
const paths = ['/', '/cart', '/cart/items', '/search', '/product', '/product/reviews', '/checkout', '/login'] as const;
const statuses = [200, 200, 200, 200, 200, 200, 200, 201, 204, 301, 304, 304, 400, 401, 404, 404, 500, 502, 503];
const agents = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_5) AppleWebKit/605.1.15 Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/143.0.0.0',
  'okhttp/5.1.0',
  'curl/8.14.1',
] as const;
const messages = ['request served', 'request served from cache', 'upstream timed out', 'user not found'] as const;

/** A trace has ten events, one after the other. */
const eventsPerTrace = 10;

const traceOf = (index: number): string => {
  const trace = Math.floor(index / eventsPerTrace);
  const half = (Math.imul(trace + 1, 0x9e37_79b1) >>> 0).toString(16).padStart(8, '0');
  return `${half}${trace.toString(16).padStart(8, '0')}${half}${half}`;
};

/** The trace that queries search for; every run has enough events to contain it. */
export const someTrace = traceOf(500);

/**
 * Another trace for each run, from all over the first million events; the one of run 0 is always
 * among the events.
 */
export const anotherTrace = (run: number): string => traceOf((500 + run * 27_190) % 1_000_000);

function event(random: Random, index: number): string {
  const service = services[random.pickSkewed(services.length)]!;
  const status = random.pick(statuses);
  const level = status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info';
  const id = random.pickSkewed(100_000);
  const duration = random.latency(status >= 500 ? 400 : 25).toFixed(3);
  const message = status >= 500 ? messages[2] : status === 404 ? messages[3] : messages[random.below(2)]!;
  return (
    `{"_time":"${timeOf(random, index, 5000)}","level":"${level}","service":"${service}",` +
    `"host":"${service}-${random.below(20)}.eu-west-1","method":"${random.pick(methods)}",` +
    `"path":"${random.pick(paths)}/${random.pickSkewed(5000)}","status":${status},"duration_ms":${duration},` +
    `"bytes":${Math.floor(random.latency(4000))},"ip":"10.${random.below(4)}.${random.below(256)}.${random.below(256)}",` +
    `"user":"u-${id}","trace_id":"${traceOf(index)}","span_id":"${random.hex(16)}",` +
    `"agent":"${random.pick(agents)}","message":"${message} after ${duration} ms for user u-${id}"}`
  );
}

const low = 'LowCardinality(String)';

export const httpLogs: Shape = {
  name: 'logs',
  title: 'HTTP logs',
  event,
  sortKey: '_time',
  flat: true,
  columns: [
    { name: '_time', type: "DateTime64(6, 'UTC')", duck: 'TIMESTAMP' },
    { name: 'level', type: low, duck: 'VARCHAR' },
    { name: 'service', type: low, duck: 'VARCHAR' },
    { name: 'host', type: low, duck: 'VARCHAR' },
    { name: 'method', type: low, duck: 'VARCHAR' },
    { name: 'path', type: 'String', duck: 'VARCHAR' },
    { name: 'status', type: 'UInt16', duck: 'USMALLINT' },
    { name: 'duration_ms', type: 'Float64', duck: 'DOUBLE' },
    { name: 'bytes', type: 'UInt32', duck: 'UINTEGER' },
    { name: 'ip', type: 'String', duck: 'VARCHAR' },
    { name: 'user', type: 'String', duck: 'VARCHAR' },
    { name: 'trace_id', type: 'String', duck: 'VARCHAR' },
    { name: 'span_id', type: 'String', duck: 'VARCHAR' },
    { name: 'agent', type: low, duck: 'VARCHAR' },
    { name: 'message', type: 'String', duck: 'VARCHAR' },
  ],
};

/** A small table to join with: one row per service. */
export const owners: readonly string[] = services.map(
  (service, i) =>
    `{"_time":"2026-11-01T00:00:00Z","service":"${service}","team":"team-${i % 4}","tier":${(i % 3) + 1}}`,
);
