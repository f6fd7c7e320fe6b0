/**
 * An hour of data from common senders with their field names: OpenTelemetry exporters, nginx and
 * Envoy access logs as JSON, Kubernetes logs from Fluent Bit and the Collector.
 */
interface ArrivingData {
  readonly name: string;
  readonly dataset: string;
  readonly kind?: string;
  /** Endpoint and format. */
  readonly path: (dataset: string) => string;
  readonly bodyOf: (end: number) => unknown;
  /** Expected dashboard template. */
  readonly title: string;
}

const COUNT = 400;
const HOUR = 3_600_000;
const pick = <T>(from: readonly T[], index: number): T => from[(index * 7 + Math.floor(index / 3)) % from.length]!;
const indexes = Array.from({ length: COUNT }, (_, index) => index);
const timeOf = (end: number, index: number): number => end - HOUR + Math.floor((index / COUNT) * HOUR) + 1000;
const nano = (milliseconds: number): string => `${milliseconds}000000`;
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
const statusOf = (index: number): number => (index % 11 === 0 ? 502 : index % 13 === 0 ? 404 : 200);
const routes = ['/api/orders', '/api/orders/{id}', '/login', '/healthz'];
const native = (dataset: string): string => `/v1/datasets/${dataset}/ingest`;
const attributes = (members: Readonly<Record<string, string | number>>) =>
  Object.entries(members).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }));

const nginx = (end: number, index: number) => ({
  _time: new Date(timeOf(end, index)).toISOString(),
  remote_addr: `10.0.0.${index % 9}`,
  remote_user: '-',
  request: `GET ${pick(routes, index)} HTTP/1.1`,
  request_method: index % 4 === 0 ? 'POST' : 'GET',
  request_uri: pick(routes, index),
  // nginx variables are strings.
  status: String(statusOf(index)),
  body_bytes_sent: String(200 + index),
  request_time: (0.003 * (index % 40)).toFixed(3),
  upstream_response_time: (0.002 * (index % 40)).toFixed(3),
  http_user_agent: 'Mozilla/5.0',
});

const envoy = (end: number, index: number) => ({
  _time: new Date(timeOf(end, index)).toISOString(),
  method: index % 4 === 0 ? 'POST' : 'GET',
  path: pick(routes, index),
  protocol: 'HTTP/2',
  response_code: statusOf(index),
  response_flags: statusOf(index) === 502 ? 'UF' : '-',
  bytes_received: 0,
  bytes_sent: 500 + index,
  duration: index % 90,
  upstream_service_time: String(index % 80),
  authority: 'shop.example.com',
  upstream_host: '10.4.1.7:8080',
  request_id: `${hex(index, 8)}-0000-4000-8000-000000000000`,
});

const lineOf = (index: number): string =>
  index % 9 === 0 ? 'error: connection to payments refused' : `handled ${pick(routes, index)} in ${index % 90} ms`;

const fluentBit = (end: number, index: number) => ({
  _time: new Date(timeOf(end, index)).toISOString(),
  stream: index % 9 === 0 ? 'stderr' : 'stdout',
  logtag: 'F',
  log: lineOf(index),
  kubernetes: {
    pod_name: `${pick(['shop', 'payments', 'dns'], index)}-6d4cf56db6-${index % 2 === 0 ? 'x7k2p' : 'q9d4z'}`,
    namespace_name: pick(['default', 'billing', 'kube-system'], index),
    container_name: 'main',
    host: `node-${index % 3}`,
    labels: { app: pick(['shop', 'payments', 'dns'], index) },
    container_image: 'registry.example.com/shop:1.5.0',
  },
});

const collectorLogs = (end: number) => ({
  resourceLogs: [0, 1, 2].map((pod) => ({
    resource: {
      attributes: attributes({
        'k8s.namespace.name': pod === 0 ? 'billing' : 'default',
        'k8s.pod.name': `shop-${pod}`,
        'k8s.container.name': 'main',
        'k8s.node.name': `node-${pod}`,
        'service.name': 'shop',
      }),
    },
    scopeLogs: [
      {
        scope: { name: 'otelcol/filelogreceiver' },
        logRecords: indexes
          .filter((index) => index % 3 === pod)
          .map((index) => ({
            timeUnixNano: nano(timeOf(end, index)),
            observedTimeUnixNano: nano(timeOf(end, index) + 5),
            severityText: index % 9 === 0 ? 'ERROR' : 'INFO',
            severityNumber: index % 9 === 0 ? 17 : 9,
            body: { stringValue: lineOf(index) },
            attributes: attributes({ 'log.iostream': 'stdout', 'log.file.path': '/var/log/pods/x.log' }),
          })),
      },
    ],
  })),
});

const spans = (end: number) => ({
  resourceSpans: ['frontend', 'orders', 'payments'].map((service, part) => ({
    resource: { attributes: attributes({ 'service.name': service, 'telemetry.sdk.language': 'nodejs' }) },
    scopeSpans: [
      {
        scope: { name: '@opentelemetry/instrumentation-http', version: '0.203.0' },
        spans: indexes.map((index) => ({
          traceId: hex(index + 1, 32),
          spanId: hex(index * 3 + part + 1, 16),
          ...(part > 0 && { parentSpanId: hex(index * 3 + part, 16) }),
          name: `${index % 4 === 0 ? 'POST' : 'GET'} ${pick(routes, index)}`,
          kind: part === 2 ? 3 : 2,
          startTimeUnixNano: nano(timeOf(end, index)),
          endTimeUnixNano: nano(timeOf(end, index) + 5 + ((index * 13) % 300)),
          attributes: attributes({
            'http.request.method': index % 4 === 0 ? 'POST' : 'GET',
            'http.route': pick(routes, index),
            'url.path': pick(routes, index),
            'http.response.status_code': statusOf(index),
          }),
          status: statusOf(index) === 502 ? { code: 2, message: 'bad gateway' } : { code: 0 },
        })),
      },
    ],
  })),
});

export const arrivingData: readonly ArrivingData[] = [
  {
    name: 'spans of OpenTelemetry',
    dataset: 'otel-spans',
    kind: 'otel:traces:v1',
    path: () => '/v1/traces',
    bodyOf: spans,
    title: 'OpenTelemetry traces: otel-spans',
  },
  {
    name: 'access logs of nginx',
    dataset: 'nginx',
    path: native,
    bodyOf: (end) => indexes.map((index) => nginx(end, index)),
    title: 'HTTP access logs: nginx',
  },
  {
    name: 'access logs of Envoy',
    dataset: 'envoy',
    path: native,
    bodyOf: (end) => indexes.map((index) => envoy(end, index)),
    title: 'HTTP access logs: envoy',
  },
  {
    name: 'lines of Fluent Bit',
    dataset: 'fluent-bit',
    path: native,
    bodyOf: (end) => indexes.map((index) => fluentBit(end, index)),
    title: 'Kubernetes logs: fluent-bit',
  },
  {
    name: 'log records of the Collector',
    dataset: 'collector',
    kind: 'otel:logs:v1',
    path: () => '/v1/logs',
    bodyOf: collectorLogs,
    title: 'Kubernetes logs: collector',
  },
];
