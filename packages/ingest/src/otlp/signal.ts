import type { DatasetKind } from '@millrace/api/schemas/dataset';

/**
 * The OTLP signals that this server accepts, declared once: routes, decoding, responses and the
 * kind of new datasets derive from this table.
 */

export const signals = {
  traces: {
    path: '/v1/traces',
    operation: 'ingestTraces',
    record: 'span',
    records: 'spans',
    rejected: 'rejectedSpans',
    datasetSetting: 'otlpTracesDataset',
  },
  logs: {
    path: '/v1/logs',
    operation: 'ingestLogs',
    record: 'log record',
    records: 'log records',
    rejected: 'rejectedLogRecords',
    datasetSetting: 'otlpLogsDataset',
  },
  metrics: {
    path: '/v1/metrics',
    operation: 'ingestMetrics',
    record: 'data point',
    records: 'data points',
    rejected: 'rejectedDataPoints',
    datasetSetting: 'otlpMetricsDataset',
  },
} as const;

/** Signals whose records become events. */
export type EventSignal = Exclude<Signal, 'metrics'>;
export type Signal = keyof typeof signals;

/** The kind of a dataset that is created for events of the signal. */
export const kindOf = (signal: Signal): DatasetKind => `otel:${signal}:v1`;
