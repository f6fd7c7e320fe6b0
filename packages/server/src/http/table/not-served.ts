import { patternOf } from './paths.js';

/**
 * What the interface documents and this server does not have. A client that calls it is told what
 * it is and what to do instead. A test holds the list in docs/deviations.md to this table.
 */
interface NotServed {
  readonly what: string;
  /** Written as in the table of routes; paths below these are meant too. */
  readonly paths: readonly string[];
  readonly instead: string;
}

export const notServed: readonly NotServed[] = [
  {
    what: 'OpenTelemetry metrics',
    paths: ['/v1/metrics'],
    instead:
      'set OTEL_METRICS_EXPORTER=none and send measurements as events to POST /v1/ingest/{dataset}; traces and logs are served',
  },
  {
    what: 'Elasticsearch bulk',
    paths: ['/_bulk', '/{index}/_bulk'],
    instead: 'end the URL that the program is given with /v1/ingest/{dataset}/elastic',
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

/** The part of the interface, if any is known, that a path without a route belongs to. */
export const notServedAt = (path: string): NotServed | undefined =>
  patterns.find(({ pattern }) => pattern.test(path))?.entry;
