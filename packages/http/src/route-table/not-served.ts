import { patternOf } from './paths.js';

/**
 * Parts of the Axiom API and of shippers' protocols that this server lacks. Clients get an error
 * that explains the alternative, and rejected sends are listed with the other rejected ingest
 * requests. A test compares docs/deviations.md with this table.
 */
interface NotServed {
  readonly what: string;
  /** In the syntax of the route table; also matches paths below these. */
  readonly paths: readonly string[];
  readonly advice: string;
}

export const notServed: readonly NotServed[] = [
  {
    what: 'Elasticsearch bulk at the root',
    paths: ['/_bulk', '/{index}/_bulk', '/{index}/_doc', '/_ingest/pipeline', '/_index_template'],
    advice: 'end the URL that the program is given with /v1/ingest/{dataset}/elastic',
  },
  {
    what: 'Splunk searches',
    paths: ['/services/search', '/services/collector/mint', '/services/collector/s2s', '/servicesNS'],
    advice: 'send events to POST /services/collector/event, and query with APL',
  },
  {
    what: 'Datadog metrics or traces',
    paths: [
      '/api/v1/series',
      '/api/v2/series',
      '/api/beta/sketches',
      '/api/v1/check_run',
      '/intake',
      '/api/v0.2/traces',
      '/v0.4/traces',
      '/v0.5/traces',
    ],
    advice: 'send logs with logs_config.logs_dd_url, and traces with OpenTelemetry to POST /v1/traces',
  },
  {
    what: 'InfluxDB line protocol',
    paths: ['/write', '/api/v2/write'],
    advice:
      'use outputs.http of Telegraf with data_format = "json", json_transformation = "metrics" and POST /v1/ingest/{dataset}',
  },
  {
    what: 'Zipkin or Jaeger spans',
    paths: ['/api/v2/spans', '/api/v1/spans', '/api/traces'],
    advice: 'export traces with OpenTelemetry to POST /v1/traces; the Collector receives both formats',
  },
  {
    what: 'New Relic logs',
    paths: ['/log/v1', '/trace/v1', '/metric/v1'],
    advice: 'use the http output of the shipper with POST /v1/ingest/{dataset}',
  },
  {
    what: 'Elastic APM events',
    paths: ['/intake/v2/events', '/intake/v3/events', '/config/v1/agents'],
    advice: 'use OpenTelemetry with POST /v1/traces and POST /v1/logs',
  },
];

const patterns = notServed.flatMap((entry) =>
  entry.paths.map((path) => ({ entry, pattern: patternOf(path, 'below') })),
);

/** The part of the interface, if any is known, that a path without a route belongs to. */
export const notServedAt = (path: string): NotServed | undefined =>
  patterns.find(({ pattern }) => pattern.test(path))?.entry;
