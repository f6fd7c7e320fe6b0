import type { DatasetKind } from '../../schemas/dataset.js';

/** What OTLP brings and this server takes, once: routes, decoding, answers and the kind of new datasets go by this table. */

export const signals = {
  traces: {
    path: '/v1/traces',
    operation: 'ingestTraces',
    record: 'span',
    records: 'spans',
    rejected: 'rejectedSpans',
  },
  logs: {
    path: '/v1/logs',
    operation: 'ingestLogs',
    record: 'log record',
    records: 'log records',
    rejected: 'rejectedLogRecords',
  },
} as const;

export type Signal = keyof typeof signals;

/** Of a dataset that is made for events of the signal. */
export const kindOf = (signal: Signal): DatasetKind => `otel:${signal}:v1`;
