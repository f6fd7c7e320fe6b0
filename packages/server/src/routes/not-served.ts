import { patternOf } from './paths.js';

/**
 * What the interface documents and this server does not have, once. Who calls it hears what it is, and what does the same here.
 * The list in docs/deviations.md is held to this table by a test.
 */
interface NotServed {
  readonly what: string;
  /** As in the table of routes; what lies below is meant too. */
  readonly paths: readonly string[];
  readonly instead: string;
}

export const notServed: readonly NotServed[] = [
  {
    what: 'monitors',
    paths: ['/v2/monitors'],
    instead: 'run the query on a timer of your own with POST /v1/query/_apl',
  },
  { what: 'notifiers', paths: ['/v2/notifiers'], instead: 'notify from what runs the query' },
  { what: 'dashboards', paths: ['/v2/dashboards'], instead: 'keep queries with POST /v2/apl-starred-queries' },
  {
    what: 'OpenTelemetry metrics',
    paths: ['/v1/metrics'],
    instead:
      'set OTEL_METRICS_EXPORTER=none and send measurements as events to POST /v1/ingest/{dataset}; traces and logs are served',
  },
  {
    what: 'Elasticsearch bulk',
    paths: ['/v1/ingest/{dataset}/elastic', '/_bulk', '/{index}/_bulk'],
    instead: 'send the events as NDJSON, without the lines of actions, to POST /v1/ingest/{dataset}',
  },
  {
    what: 'Splunk HEC',
    paths: ['/services/collector'],
    instead: 'send the events without their envelopes to POST /v1/ingest/{dataset}',
  },
  {
    what: 'Firehose',
    paths: ['/v1/ingest/{dataset}/firehose'],
    instead: 'send the records as NDJSON to POST /v1/ingest/{dataset}',
  },
  {
    what: 'metrics (MPL)',
    paths: ['/v1/query/_mpl', '/v1/query/metrics'],
    instead: 'send measurements as events and summarize them with POST /v1/query/_apl',
  },
];

const patterns = notServed.flatMap((entry) =>
  entry.paths.map((path) => ({ entry, pattern: patternOf(path, 'below') })),
);

/** What a path that is no route belongs to, if it is known. */
export const notServedAt = (path: string): NotServed | undefined =>
  patterns.find(({ pattern }) => pattern.test(path))?.entry;
