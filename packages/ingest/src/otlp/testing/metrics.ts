import { protobufOf } from './otlp-protobuf.js';
import { attribute } from './test-requests.js';

/** OTLP requests with metrics, for tests. */

/** A request with these metrics of one resource. */
export const metricsOf = (metrics: readonly object[], resource: Readonly<Record<string, string>> = {}): object => ({
  resourceMetrics: [
    {
      resource: {
        attributes: Object.entries(resource).map(([key, stringValue]) => attribute(key, { stringValue })),
      },
      scopeMetrics: [{ metrics }],
    },
  ],
});

export const metricsBody = (request: object): Buffer => protobufOf('ExportMetricsServiceRequest', request);
