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
    doc: 'Largest body of an ingest request, as sent.',
    reason: 'Bodies are held in memory while they are read; clients send far smaller ones.',
  },
  ingestThreads: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 64,
    doc: 'Threads that read large and compressed bodies of ingest requests; 0 means one for each core, at most four.',
    reason:
      'Requests are independent of each other, and no large one holds up a small one. More than four threads would only wait for the disk.',
  },
  encodeTimeout: {
    type: 'duration',
    default: 60 * second,
    min: 1 * second,
    max: 60 * minute,
    doc: 'How long the events of one request may be read; beyond it the request is refused.',
    reason:
      'The largest body of real events takes some seconds. One that is made up to take long holds a thread no longer than this.',
  },
  maxDecompressedBytes: {
    type: 'bytes',
    default: 256 * MiB,
    min: 1 * KiB,
    max: MAX_BODY_BYTES,
    doc: 'Largest body of an ingest request after decompression. Those of more than 32 MiB that are read at the same time may have as much together; further ones wait. For OpenTelemetry it also limits all records together, each with its resource and scope.',
    reason: 'Events compress about tenfold; what expands further than this is more likely a bomb.',
  },
  maxJsonDepth: {
    type: 'integer',
    default: 100,
    min: 10,
    max: 1000,
    doc: 'Levels of nesting in JSON: deeper values of events become null, deeper requests are refused.',
    reason: 'What the interface documents.',
  },
  maxValueBytes: {
    type: 'bytes',
    default: 1_000_000,
    min: 1 * KiB,
    max: 64 * MiB,
    doc: 'Longest string in an event, and longest array or object of a map field, as JSON; longer ones are stored as `<invalid string: too long>`.',
    reason: 'What the interface documents.',
  },
  maxNameBytes: {
    type: 'bytes',
    default: 200,
    min: 16,
    max: 4 * KiB,
    doc: 'Longest field name in an event; fields with longer names are left out and reported.',
    reason: 'What the interface documents.',
  },
  maxFailuresReported: {
    type: 'integer',
    default: 100,
    min: 1,
    max: 10_000,
    doc: 'Failed events listed in the answer of one ingest request; all are counted.',
    reason: 'Enough to see what is wrong; a body of garbage does not make an answer of its size.',
  },
  maxRequestFields: {
    type: 'integer',
    default: 100_000,
    min: 100,
    max: 1_000_000,
    doc: 'Most different fields that one ingest request may bring. What its events have under further names is kept as one object in the field `_other`, and the answer says so.',
    reason:
      'A hundred times what real events have together. Each name is known to the server from then on, so a sender must not be able to make up any number.',
  },
  maxDatasetFields: {
    type: 'integer',
    default: 2_000_000,
    min: 100,
    max: 10_000_000,
    doc: 'Most different fields of one dataset. Beyond them new names are kept in `_other`, too; `millrace dataset forget-fields` makes room.',
    reason: 'All names are in memory and are read at each start: two million take about 500 MB and some seconds.',
  },
  columnBudget: {
    type: 'integer',
    default: 1024,
    min: 16,
    max: 20_000,
    doc: 'Most columns that fields of a dataset may have to themselves; rarer fields share one overflow column and are queried by the same names.',
    reason:
      'Each column costs the engine time and memory at every insert and every query. As long as all fields fit into an eighth of the budget, each has a column; after that only fields that occur in one event of a hundred get one.',
  },
} as const satisfies Readonly<Record<string, SettingRecord>>;
