import { MAX_BODY_BYTES } from '@millrace/events';
import type { SettingRecord } from './setting-types.js';
import { KiB, MiB, minute, second } from './setting-units.js';

/** How events are read, and how large they may be. */
export const ingestSettings = {
  maxBodyBytes: {
    type: 'bytes',
    default: 64 * MiB,
    min: 1 * KiB,
    max: MAX_BODY_BYTES,
    doc: 'Maximum body size of ingest requests, as sent.',
    reason: 'Bodies are buffered in memory; clients send far smaller ones.',
  },
  ingestThreads: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 64,
    doc: 'Encoder threads for large or compressed bodies; 0 = one per core, at most 4.',
    reason:
      'Requests are independent, and large ones do not delay small ones. More than four threads would wait for the disk.',
  },
  encodeTimeout: {
    type: 'duration',
    default: 60 * second,
    min: 1 * second,
    max: 60 * minute,
    doc: 'Timeout for parsing the events of one request; then the request is rejected.',
    reason: 'The largest real bodies take seconds. Crafted bodies cannot occupy a thread longer.',
  },
  maxDecompressedBytes: {
    type: 'bytes',
    default: 256 * MiB,
    min: 1 * KiB,
    max: MAX_BODY_BYTES,
    doc: 'Maximum body size of ingest requests after decompression. Concurrent bodies over 32 MiB share this amount; further ones are queued. For OpenTelemetry it also limits all records together, including resource and scope.',
    reason: 'Events compress about tenfold; a higher ratio suggests a decompression bomb.',
  },
  maxJsonDepth: {
    type: 'integer',
    default: 100,
    min: 10,
    max: 1000,
    doc: 'Maximum JSON nesting. Deeper values of events become null, deeper requests are rejected.',
    reason: 'Matches the documented API limit.',
  },
  maxValueBytes: {
    type: 'bytes',
    default: 1_000_000,
    min: 1 * KiB,
    max: 64 * MiB,
    doc: 'Maximum size of a string, and of an array or map field value as JSON. Of longer ones the beginning is stored, as a string ([long values](events.md#long-values)).',
    reason: 'Matches the documented API limit.',
  },
  maxNameBytes: {
    type: 'bytes',
    default: 200,
    min: 16,
    max: 4 * KiB,
    doc: 'Maximum length of a field name; fields with longer names are dropped and reported.',
    reason: 'Matches the documented API limit.',
  },
  maxFailuresReported: {
    type: 'integer',
    default: 100,
    min: 1,
    max: 10_000,
    doc: 'Maximum failed events listed in an ingest response; all are counted.',
    reason: 'Enough for diagnosis, without a response as large as the body.',
  },
  maxRequestFields: {
    type: 'integer',
    default: 100_000,
    min: 100,
    max: 1_000_000,
    doc: 'Maximum distinct fields per ingest request. Further ones are stored in one object, the field `_other`, and the response says so.',
    reason:
      '100 times what real requests have. The server registers each name, so clients must not create them without limit.',
  },
  maxDatasetFields: {
    type: 'integer',
    default: 2_000_000,
    min: 100,
    max: 10_000_000,
    doc: 'Maximum distinct fields per dataset. Further names go to `_other`; `millrace dataset forget-fields` frees names.',
    reason: 'Names are in memory and loaded at startup: two million take about 500 MB and some seconds.',
  },
  columnBudget: {
    type: 'integer',
    default: 1024,
    min: 16,
    max: 20_000,
    doc: 'Maximum dedicated columns per dataset; rarer fields share one overflow column and are queried by the same names.',
    reason:
      'Each column costs time and memory at every insert and query. While all fields fit into an eighth of the budget, each has a column; after that only fields in at least 1% of events get one.',
  },
} as const satisfies Readonly<Record<string, SettingRecord>>;
