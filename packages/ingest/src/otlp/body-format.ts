import { otherOtlpFormat } from '../content-sniffing.js';
import type { BodyFormat } from '../formats/format.js';
import { refuseIf } from '../assert-valid.js';
import { encodeOtlp } from './encode-otlp.js';
import { encodeMetrics } from './metrics/encode-metrics.js';
import { isOtlp, otlpMediaTypes } from './media-types.js';
import type { Signal } from './signal.js';

/**
 * An OTLP body states a resource once, but it becomes a part of every record, so even a small body
 * may be much work.
 */
const threadFrom = 16 * 1024;

const otlpFormat = (signal: Signal): BodyFormat => ({
  mediaTypes: otlpMediaTypes,
  detects: isOtlp,
  threadFrom,
  grows: true,
  ...(signal === 'metrics' && { describesSeries: true }),
  encode(body, { contentType, described, limits, maxEventBytes = limits.maxDecompressedBytes }, encodeOptions) {
    refuseIf(otherOtlpFormat(body, contentType));
    const options = { ...encodeOptions, contentType, maxEventBytes };
    return signal === 'metrics'
      ? encodeMetrics(body, { ...options, ...(described !== undefined && { described }) })
      : encodeOtlp(body, { ...options, signal });
  },
});

/** The bodies of each signal. */
export const otlpFormats = {
  'otlp-traces': otlpFormat('traces'),
  'otlp-logs': otlpFormat('logs'),
  'otlp-metrics': otlpFormat('metrics'),
} as const;
