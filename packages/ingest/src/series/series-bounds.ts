import type { Bound } from '@millrace/api/limits';

const rejectionText = 'The data point is rejected.';

/** Fixed limits on points of metrics. */
export const seriesBounds = {
  nameBytes: {
    max: 256,
    what: 'bytes in the name or unit of a metric, and in the name of an attribute',
    whenExceeded: rejectionText,
    reason: 'Matches the documented API limit.',
  },
  tagBytes: {
    max: 1025,
    what: 'bytes in an attribute of a data point, with the letter of its type',
    whenExceeded: rejectionText,
    reason: 'Matches the documented API limit.',
  },
  tags: {
    max: 256,
    what: 'attributes of a data point, including those of its resource and scope',
    whenExceeded: rejectionText,
    reason: 'Twice the default limit of OpenTelemetry SDKs; they are stored per series and day.',
  },
  samples: {
    max: 1000,
    what: 'buckets, quantiles and totals of a data point',
    whenExceeded: rejectionText,
    reason: 'Each is a series; OpenTelemetry SDKs send at most 320.',
  },
} as const satisfies Readonly<Record<string, Bound>>;
