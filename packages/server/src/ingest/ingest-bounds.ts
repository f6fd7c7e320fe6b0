import { DEFAULT_LIMITS, MOST_OPEN } from '@millrace/events';
import type { Bound } from '../bounds.js';

const divided = 'The request is refused with 413; divide it.';

/** Bounds on requests with events that are no settings. */
export const ingestBounds = {
  datasets: {
    most: 50,
    of: 'datasets that the events of one body may name',
    beyond: divided,
    reason: 'Each is a pass over the whole body.',
  },
  failuresInARow: {
    most: DEFAULT_LIMITS.maxFailuresInARow,
    of: 'failed events in a row',
    beyond: 'The rest of the body is not read.',
    reason: 'Each takes a hundred times as long as a value of an event, and whatever sends so many sends no events.',
  },
  answeredFailures: {
    most: 100_000,
    of: 'failed events of a bulk request or of a batch of Honeycomb',
    beyond: divided,
    reason: 'Each is answered with its reason, and a thread has only so much memory for these.',
  },
  bulkActions: {
    most: 1_000_000,
    of: 'actions of a bulk request',
    beyond: divided,
    reason: 'Each is answered, so that many take memory; ten times what shippers send at once.',
  },
  bulkActionsOfSeveral: {
    most: 100_000,
    of: 'actions of a bulk request for several datasets',
    beyond: divided,
    reason: 'Each of the datasets has a list of all, and the lists are merged.',
  },
  bulkActionBytes: {
    most: 64 * 1024,
    of: 'bytes of an action of a bulk request',
    beyond: 'The request is refused with 400.',
    reason: 'It names little more than an index.',
  },
  labels: {
    most: 100_000,
    of: 'labels of a stream of Loki',
    beyond: 'They are kept as one text.',
    reason:
      'As many as one request may bring as fields by default. A map that fills the memory of a thread in one step ends the process.',
  },
  otlpMessageBytes: {
    most: 8 * 1024 * 1024,
    of: 'bytes of a record of OpenTelemetry, and of what is around records',
    beyond: 'The record fails.',
    reason:
      'Messages are objects while they are read, and may take thirty times the memory. No record of values that are kept is so long.',
  },
  messagePackLevels: {
    most: 128,
    of: 'levels of nesting in MessagePack',
    beyond: 'What is deeper becomes null.',
    reason: 'Each costs a frame of the stack; events are kept as deep as the setting for JSON says.',
  },
  csvColumns: {
    most: DEFAULT_LIMITS.maxCsvColumns,
    of: 'columns of CSV',
    beyond: 'The request is refused with 400.',
    reason: 'Bounds the memory of one row; beyond any spreadsheet.',
  },
  openBrackets: {
    most: MOST_OPEN,
    of: 'brackets that are open at once in a value of an event',
    beyond: 'The event fails.',
    reason: 'Whoever keeps track of them needs memory for each.',
  },
  blockBytes: {
    most: DEFAULT_LIMITS.maxBlockBytes,
    of: 'bytes of the events of one request, as they are stored',
    beyond: divided,
    reason: 'What the log takes in one append, as 33 million events without a value do.',
  },
} as const satisfies Readonly<Record<string, Bound>>;
