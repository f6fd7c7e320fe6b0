import type { SettingRecord } from './setting-types.js';
import { GiB, KiB, MiB, minute, second } from './setting-units.js';

/** Limits that apply to all requests. */
export const requestSettings = {
  maxConnections: {
    type: 'integer',
    default: 10_000,
    min: 10,
    max: 1_000_000,
    doc: 'Maximum open connections, fewer if the process has a lower limit of open files. At the limit, the oldest unused connection is closed, or else the new one.',
    reason: 'Each takes a file descriptor, and without a free one the server could not write its log.',
  },
  requestTimeout: {
    type: 'duration',
    default: 5 * minute,
    min: 1 * second,
    max: 60 * minute,
    doc: 'Timeout for receiving a complete request.',
    reason: 'Allows slow clients with large bodies, and closes connections that never finish.',
  },
  quietBodyTimeout: {
    type: 'duration',
    default: 10 * second,
    min: 100,
    max: 60 * minute,
    doc: 'Idle timeout for request bodies while the server is at capacity.',
    reason: 'Received bytes are buffered in memory. Slow clients continue; stalled ones do not block others.',
  },
  stalledReaderTimeout: {
    type: 'duration',
    default: 60 * second,
    min: 100,
    max: 60 * minute,
    doc: 'Closes a response whose client stops reading for this long, and ends its query.',
    reason: 'Slow clients continue; stalled ones do not occupy a result or an export slot.',
  },
  maxDiscardedBytes: {
    type: 'bytes',
    default: 1 * GiB,
    min: 0,
    max: 1024 * GiB,
    doc: 'Maximum bytes drained from a rejected request before disconnecting.',
    reason:
      'Many clients send the whole body before they read the response; if disconnected, they would not see the error.',
  },
  maxJsonBodyBytes: {
    type: 'bytes',
    default: 4 * MiB,
    min: 1 * KiB,
    max: 64 * MiB,
    doc: 'Maximum body size of non-ingest requests.',
    reason: 'The longest queries and dashboards are below 1 MiB.',
  },
  maxJsonValues: {
    type: 'integer',
    default: 100_000,
    min: 1000,
    max: 10_000_000,
    doc: 'Maximum JSON values in a non-ingest request: elements, properties, arrays and objects.',
    reason:
      '100 times what clients send. Parsing blocks other requests, and a body of commas would be millions of values.',
  },
  maxHeaderBytes: {
    type: 'bytes',
    default: 64 * KiB,
    min: 4 * KiB,
    max: 1 * MiB,
    doc: 'Maximum size of request line and headers.',
    reason: 'Fits event labels and long lists of CSV fields.',
  },
  compressAnswersFrom: {
    type: 'bytes',
    default: 4 * KiB,
    min: 0,
    max: 1 * GiB,
    doc: 'Minimum response size for gzip compression, for remote clients that accept it; larger streamed responses are compressed too. 0 disables it.',
    reason:
      'Events shrink to about a sixth. Small responses fit into a few packets, and locally sending costs less than compressing.',
  },
  maxUrlBytes: {
    type: 'bytes',
    default: 16 * KiB,
    min: 1 * KiB,
    max: 64 * KiB,
    doc: 'Maximum URL length.',
    reason: 'Fits long field names, percent-encoded.',
  },
  requestsPerMinute: {
    type: 'integer',
    default: 1_000_000,
    min: 1,
    max: 1_000_000_000,
    doc: 'Rate limit per token, or per address without one. Excess requests get 429.',
    reason: 'The capacity of a server, for fleets that share a token; lower it for tokens of untrusted users.',
  },
  failedLoginsPerMinute: {
    type: 'integer',
    default: 6000,
    min: 1,
    max: 1_000_000_000,
    doc: 'Rate limit for failed authentication per address (/64 for IPv6). Excess requests get 429 and are not audited individually.',
    reason: 'Tokens cannot be guessed; this protects the audit log from flooding.',
  },
} as const satisfies Readonly<Record<string, SettingRecord>>;
