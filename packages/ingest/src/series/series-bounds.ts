import type { Bound } from '@millrace/api/limits';

const rejected = 'The data point is rejected.';

/** Fixed limits on points of metrics. */
export const seriesBounds = {
  nameBytes: {
    most: 256,
    of: 'bytes in the name or unit of a metric, and in the name of an attribute',
    beyond: rejected,
    reason: 'Matches the documented API limit.',
  },
  tagBytes: {
    most: 1025,
    of: 'bytes in an attribute of a data point, with the letter of its type',
    beyond: rejected,
    reason: 'Matches the documented API limit.',
  },
  tags: {
    most: 256,
    of: 'attributes of a data point, including those of its resource and scope',
    beyond: rejected,
    reason: 'Twice the default limit of OpenTelemetry SDKs; they are stored per series and day.',
  },
  samples: {
    most: 1000,
    of: 'buckets, quantiles and totals of a data point',
    beyond: rejected,
    reason: 'Each is a series; OpenTelemetry SDKs send at most 320.',
  },
} as const satisfies Readonly<Record<string, Bound>>;
