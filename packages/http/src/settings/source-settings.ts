import type { SettingRecord } from './setting-types.js';
import { hour, MiB, second } from './setting-units.js';

/** Settings of sources: Kafka topics and buckets that the server reads. */
export const sourceSettings = {
  maxSources: {
    type: 'integer',
    default: 20,
    min: 0,
    max: 1000,
    doc: 'Maximum number of sources.',
    reason: 'Each holds connections and up to three batches in memory.',
  },
  sourceBatchBytes: {
    type: 'bytes',
    default: 4 * MiB,
    min: 64 * 1024,
    max: 64 * MiB,
    doc: 'Size at which a source stores the events it has read, and maximum size of a Kafka fetch.',
    reason: 'Large enough that an fsync per batch costs little; a source takes about three times as much memory.',
  },
  sourceBatchAge: {
    type: 'duration',
    default: 1 * second,
    min: 10,
    max: 60 * second,
    doc: 'Age at which a source stores the events it has read.',
    reason: 'Events appear a second after they were written, and quiet topics cause few small batches.',
  },
  maxSourceObjects: {
    type: 'integer',
    default: 2_000_000,
    min: 1000,
    max: 1_000_000_000,
    doc: 'Maximum objects that a bucket source remembers as read; beyond it, the source stops with an error that says what to do.',
    reason: 'Each takes about 80 bytes of metadata.',
  },
  sourceObjectMemory: {
    type: 'duration',
    default: 720 * hour,
    min: 48 * hour,
    max: 87_600 * hour,
    doc: 'Time for which a bucket source remembers an object that its listing no longer has, because it was deleted or another startAfter leaves it out. Later, an object with the same key and content is read again.',
    reason:
      'Longer than the copy or restore of a bucket takes; buckets with expiring objects do not fill the metadata.',
  },
  sourcePrivateAddresses: {
    type: 'boolean',
    default: false,
    doc: 'Whether sources may connect to loopback and private networks. Link-local and reserved addresses are blocked in any case.',
    reason: 'A user who may write sources may lack access to the networks that the server can reach.',
  },
} as const satisfies Record<string, SettingRecord>;
