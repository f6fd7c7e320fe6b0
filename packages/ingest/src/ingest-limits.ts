import { DEFAULT_LIMITS, MAX_CORE_BYTES, MAX_OPEN } from '@millrace/events';
import type { Bound } from '@millrace/api/limits';

const divided = 'The request is rejected with 413; split it.';

/** Fixed limits on ingest requests. */
export const ingestBounds = {
  datasets: {
    most: 50,
    of: 'datasets named by the events of one body',
    beyond: divided,
    reason: 'Each needs a pass over the whole body.',
  },
  failuresInARow: {
    most: DEFAULT_LIMITS.maxFailuresInARow,
    of: 'failed events in a row',
    beyond: 'The rest of the body is not parsed.',
    reason: 'A failure takes 100 times as long as a value, and such input does not contain events.',
  },
  answeredFailures: {
    most: 100_000,
    of: 'failed events of a bulk request or Honeycomb batch',
    beyond: divided,
    reason: 'The response has a reason for each, and the memory of a thread is limited.',
  },
  bulkActions: {
    most: 1_000_000,
    of: 'actions of a bulk request',
    beyond: divided,
    reason: 'The response has an entry for each; ten times what shippers send.',
  },
  bulkActionsOfSeveral: {
    most: 100_000,
    of: 'actions of a bulk request for several datasets',
    beyond: divided,
    reason: 'Each dataset has a list of all actions, and the lists are merged.',
  },
  bulkActionBytes: {
    most: 64 * 1024,
    of: 'bytes of a bulk action line',
    beyond: 'The request is rejected with 400.',
    reason: 'It contains little more than an index name.',
  },
  labels: {
    most: 100_000,
    of: 'labels of a Loki stream',
    beyond: 'They are stored as a single string.',
    reason:
      'Equals the default limit of fields per request. A map that exhausts the memory of a thread in one step ends the process.',
  },
  otlpMessageBytes: {
    most: 8 * 1024 * 1024,
    of: 'bytes of an OpenTelemetry record, and of the data around records',
    beyond: 'The record fails.',
    reason: 'Parsed messages take up to 30 times the memory. No storable record is this long.',
  },
  messagePackLevels: {
    most: 128,
    of: 'levels of nesting in MessagePack',
    beyond: 'Deeper values become null.',
    reason: 'Each uses a stack frame; for events, the JSON depth setting applies.',
  },
  csvColumns: {
    most: DEFAULT_LIMITS.maxCsvColumns,
    of: 'CSV columns',
    beyond: 'The request is rejected with 400.',
    reason: 'Limits the memory of a row; more than any spreadsheet has.',
  },
  openBrackets: {
    most: MAX_OPEN,
    of: 'unclosed brackets in a value of an event',
    beyond: 'The event fails.',
    reason: 'Tracking them needs memory for each.',
  },
  encoderBytes: {
    most: MAX_CORE_BYTES,
    of: 'bytes of memory to encode one request',
    beyond: divided,
    reason:
      'Four times the largest body; 20 million values in 100,000 fields need as much. Bodies and events over 32 MiB share the maximum of decompressed bytes, so few need that at a time.',
  },
  blockBytes: {
    most: DEFAULT_LIMITS.maxBlockBytes,
    of: 'encoded bytes of the events of one request',
    beyond: divided,
    reason: 'Maximum size of one log append; equals 33 million empty events.',
  },
} as const satisfies Readonly<Record<string, Bound>>;
