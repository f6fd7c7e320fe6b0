import { DEFAULT_LIMITS, MAX_CORE_BYTES, MAX_OPEN } from '@millrace/events';
import type { Bound } from '@millrace/api/limits';

const splitAdvice = 'The request is rejected with 413; split it.';

/** Fixed limits on ingest requests. */
export const ingestBounds = {
  datasets: {
    max: 50,
    what: 'datasets named by the events of one body',
    whenExceeded: splitAdvice,
    reason: 'Each needs a pass over the whole body.',
  },
  failuresInARow: {
    max: DEFAULT_LIMITS.maxFailuresInARow,
    what: 'failed events in a row',
    whenExceeded: 'The rest of the body is not parsed.',
    reason: 'A failure takes 100 times as long as a value, and such input does not contain events.',
  },
  answeredFailures: {
    max: 100_000,
    what: 'failed events of a bulk request or Honeycomb batch',
    whenExceeded: splitAdvice,
    reason: 'The response has a reason for each, and the memory of a thread is limited.',
  },
  bulkActions: {
    max: 1_000_000,
    what: 'actions of a bulk request',
    whenExceeded: splitAdvice,
    reason: 'The response has an entry for each; ten times what shippers send.',
  },
  bulkActionsOfSeveral: {
    max: 100_000,
    what: 'actions of a bulk request for several datasets',
    whenExceeded: splitAdvice,
    reason: 'Each dataset has a list of all actions, and the lists are merged.',
  },
  bulkActionBytes: {
    max: 64 * 1024,
    what: 'bytes of a bulk action line',
    whenExceeded: 'The request is rejected with 400.',
    reason: 'It contains little more than an index name.',
  },
  labels: {
    max: 100_000,
    what: 'labels of a Loki stream',
    whenExceeded: 'They are stored as a single string.',
    reason:
      'Equals the default limit of fields per request. A map that exhausts the memory of a thread in one step ends the process.',
  },
  otlpMessageBytes: {
    max: 8 * 1024 * 1024,
    what: 'bytes of an OpenTelemetry record, and of the data around records',
    whenExceeded: 'The record fails.',
    reason: 'Parsed messages take up to 30 times the memory. No storable record is this long.',
  },
  messagePackLevels: {
    max: 128,
    what: 'levels of nesting in MessagePack',
    whenExceeded: 'Deeper values become null.',
    reason: 'Each uses a stack frame; for events, the JSON depth setting applies.',
  },
  csvColumns: {
    max: DEFAULT_LIMITS.maxCsvColumns,
    what: 'CSV columns',
    whenExceeded: 'The request is rejected with 400.',
    reason: 'Limits the memory of a row; more than any spreadsheet has.',
  },
  openBrackets: {
    max: MAX_OPEN,
    what: 'unclosed brackets in a value of an event',
    whenExceeded: 'The event fails.',
    reason: 'Tracking them needs memory for each.',
  },
  encoderBytes: {
    max: MAX_CORE_BYTES,
    what: 'bytes of memory to encode one request',
    whenExceeded: splitAdvice,
    reason:
      'Four times the largest body; 20 million values in 100,000 fields need as much. Bodies and events over 32 MiB share the maximum of decompressed bytes, so few need that at a time.',
  },
  blockBytes: {
    max: DEFAULT_LIMITS.maxBlockBytes,
    what: 'encoded bytes of the events of one request',
    whenExceeded: splitAdvice,
    reason: 'Maximum size of one log append; equals 33 million empty events.',
  },
} as const satisfies Readonly<Record<string, Bound>>;
