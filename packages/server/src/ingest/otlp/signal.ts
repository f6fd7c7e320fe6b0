import type { DatasetKind } from '../../schemas/dataset.js';

/**
 * The signals of OTLP that this server takes, declared once: routes, decoding, answers and the kind
 * of new datasets follow this table.
 */

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

/** The kind of a dataset that is created for events of the signal. */
export const kindOf = (signal: Signal): DatasetKind => `otel:${signal}:v1`;
