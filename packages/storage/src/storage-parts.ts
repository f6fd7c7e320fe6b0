import type { Backlog } from './insert/backlog.js';
import type { StoredDataset } from './fields/dataset.js';
import { Deletions } from './deletions.js';
import { Flusher } from './insert/flusher.js';
import { TruncationCheckpoint } from './truncation-checkpoint.js';
import { Inserter } from './insert/inserter.js';
import { LogWriter } from './log-writer.js';
import { InterruptedDeletions } from './recovery/interrupted-deletions.js';
import type { Inventory } from './inventory/inventory.js';
import { LogTruncator } from './log-truncator.js';
import { ConsistentReads } from './consistent-reads.js';
import { ActiveReaders } from './readers.js';
import { IdleMerges } from './tables/idle-merges.js';
import { PartialBatches } from './insert/partial-batches.js';
import { QuarantineRetries } from './insert/quarantine-retries.js';
import type { StorageOptions } from './storage-options.js';
import type { Stores } from './stores.js';
import { CanonicalJsonMigration } from './canonical-json-migration.js';
import { SettingsUpgrade } from './tables/settings-upgrade.js';
import { DamagedFiles } from './damaged-files.js';
import { IndexBuilder } from './term-index/index-builder.js';
import { WordIndex } from './term-index/term-index.js';

/** State that a start restores before the parts are composed. */
export interface RestoredState {
  readonly datasets: Map<number, StoredDataset>;
  readonly backlog: Backlog;
  /** Detects the loss of events that were not deleted. */
  readonly inventory: Inventory;
}

/** The parts of a storage over a log and an engine. None of them has started. */
export interface StorageParts {
  /** The write path. */
  readonly intake: LogWriter;
  readonly flusher: Flusher;
  readonly partialBatches: PartialBatches;
  readonly truncator: LogTruncator;
  readonly interruptedDeletions: InterruptedDeletions;
  readonly merges: IdleMerges;
  readonly settingsUpgrade: SettingsUpgrade;
  readonly jsonMigration: CanonicalJsonMigration;
  readonly retries: QuarantineRetries;
  /** Undefined if the term index is disabled. */
  readonly termIndex: WordIndex | undefined;
  readonly indexBuilder: IndexBuilder | undefined;
  readonly damaged: DamagedFiles;
  readonly reads: ConsistentReads;
  readonly readers: ActiveReaders;
  readonly deletions: Deletions;
}

/** Composes the parts of a storage: what each one reads, and which others an insert informs. */
export function composeStorage(options: StorageOptions & Stores, state: RestoredState): StorageParts {
  const { datasets, backlog, inventory } = state;
  const { engine, log, logger, limits, fieldStore, idempotencyStore, quarantine, pins } = options;
  const { flushed = () => undefined, merged = () => undefined } = options;
  const busy = (): boolean => backlog.bytes > limits.flushBytes;
  const partialBatches = new PartialBatches();
  const merges = new IdleMerges({ engine, logger, limits, busy, merged });
  const damaged = new DamagedFiles(engine, (id) => datasets.has(id));
  const reads = new ConsistentReads(backlog, log, partialBatches, quarantine, datasets, damaged);
  const termIndex = limits.wordIndexRows > 0 ? new WordIndex(engine, limits.wordMemoryBytes, logger) : undefined;
  const watermark = (datasetId: number): bigint => reads.watermark([datasetId]);
  const indexBuilder =
    termIndex && new IndexBuilder({ engine, logger, limits, index: termIndex, datasets, watermark, busy });
  const inserting = {
    engine,
    log,
    logger,
    limits,
    fieldStore,
    idempotencyStore,
    quarantine,
    partialBatches,
    ...(termIndex !== undefined && { words: termIndex }),
    flushed,
    stored: (datasetId: number) => {
      merges.add();
      inventory.add(datasetId);
      indexBuilder?.add(datasetId);
    },
  };
  const inserter = new Inserter({ ...inserting, backlog, ...(pins !== undefined && { pins: pins.log }) });
  const flusher = new Flusher({ engine, logger, backlog, inserter, limits, flushed });
  const truncator = new LogTruncator({
    log,
    backlog,
    logger,
    limits,
    freeBytes: options.freeBytes,
    beforeRelease: () => inventory.check(),
    checkpoint: new TruncationCheckpoint(log, fieldStore),
  });
  return {
    intake: new LogWriter({ log, backlog, flusher, truncator, idempotencyStore, datasets, limits }),
    flusher,
    partialBatches,
    truncator,
    interruptedDeletions: new InterruptedDeletions(engine, datasets),
    merges,
    settingsUpgrade: new SettingsUpgrade({ engine, record: options.settingsRecord, logger }),
    jsonMigration: new CanonicalJsonMigration({
      engine,
      database: options.database,
      datasets,
      flusher,
      merges,
      words: termIndex,
      logger,
    }),
    retries: new QuarantineRetries({
      ...inserting,
      flusher,
      datasets,
      ...(pins !== undefined && { pins: pins.refused }),
    }),
    termIndex,
    indexBuilder,
    damaged,
    reads,
    readers: new ActiveReaders(datasets),
    deletions: new Deletions({
      engine,
      log,
      logger,
      fieldStore,
      quarantine,
      idempotencyStore,
      truncator,
      backlog,
      flusher,
      merges,
      inventory,
      reads,
      datasets,
    }),
  };
}
