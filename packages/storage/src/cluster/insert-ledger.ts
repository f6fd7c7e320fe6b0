import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, EngineError } from '@millrace/engine';
import type { PositionAllocator } from '@millrace/metadata/postgres/position-allocator';
import type { InsertLedger } from '../event-storage.js';
import type { FieldStore } from '../fields/field-store.js';
import { detachedParts } from '../tables/partition-counts.js';
import { rowsOfAll, type VerifyReport } from '../verify.js';

interface SharedAccountsDependencies {
  readonly engine: Engine;
  readonly arrivals: Pick<PositionAllocator, 'listStored' | 'isOver' | 'watermark'>;
  readonly fieldStore: Pick<FieldStore, 'checkpoints'>;
  readonly exists: (datasetId: number) => boolean;
  /** Loads changes and in-flight inserts of other processes. */
  readonly lookForNews: () => Promise<void>;
  /** How long to wait for in-flight inserts, milliseconds. */
  readonly patience: number;
}

const pollMilliseconds = 50;

/**
 * Ledger of batches with several ingesting processes. Instead of a log there are records in
 * PostgreSQL: the inserts in flight, and for a while the row counts of finished ones.
 */
export class ClusterInsertLedger implements InsertLedger {
  readonly #deps: SharedAccountsDependencies;
  /** Rejections are returned to the client, and nothing is retried. */
  readonly quarantinedPositions = [];
  readonly retries = { pause: async () => '', resume: () => undefined };
  /**
   * The row counts of ClickHouse's data are not audited: its disks are its operator's
   * responsibility.
   */
  readonly inventory = { missing: [], accept: async () => undefined };

  constructor(deps: SharedAccountsDependencies) {
    this.#deps = deps;
  }

  /** A client gets the position only after its events are stored. */
  async stateOf(position: bigint): Promise<'stored' | undefined> {
    return (await this.#deps.arrivals.isOver(position)) ? 'stored' : undefined;
  }

  /**
   * Waits until all inserts in flight are over, of some datasets or of all: everything up to the
   * returned position is stored, and nothing more is added there.
   * @throws EngineError `unavailable` when that takes too long, MetadataError
   */
  async flushAll(datasetIds?: readonly number[]): Promise<bigint> {
    const { arrivals, lookForNews, patience } = this.#deps;
    const until = performance.now() + patience;
    await lookForNews();
    const { last } = arrivals.watermark;
    while (arrivals.watermark.upTo(datasetIds) < last) {
      if (performance.now() > until) throw new EngineError('unavailable', 'inserts have been in flight for too long');
      await sleep(pollMilliseconds);
      await lookForNews();
    }
    return last;
  }

  /** Compares the recorded row counts of recent inserts with the engine's. */
  async verify(): Promise<VerifyReport> {
    const { engine, arrivals, fieldStore, exists } = this.#deps;
    const before = await fieldStore.checkpoints();
    const brought = await arrivals.listStored();
    const isSkipped = (checkpoints: ReadonlyMap<number, bigint>, datasetId: number, first: bigint): boolean =>
      !exists(datasetId) || first <= (checkpoints.get(datasetId) ?? 0n);
    const compared = brought.filter(({ datasetId, first }) => !isSkipped(before, datasetId, first));
    const present = compared.length === 0 ? undefined : await rowsOfAll(engine, compared[0]!.first);
    const wrong = compared.flatMap(({ datasetId, first, last, rows: events }) => {
      let rows = 0;
      for (let position = first; position <= last; position++) rows += present?.get(datasetId)?.get(position) ?? 0;
      return rows === events ? [] : [{ position: String(first), datasetId, events, rows }];
    });
    // A deletion records how far it may reach before it begins.
    const after = await fieldStore.checkpoints();
    const left = wrong.filter(({ datasetId, position }) => !isSkipped(after, datasetId, BigInt(position)));
    return {
      batches: brought.reduce((sum, { first, last }) => sum + Number(last - first) + 1, 0),
      events: brought.reduce((sum, { rows }) => sum + rows, 0),
      skipped: brought.length - compared.length + wrong.length - left.length,
      wrong: left,
      refused: [],
      missing: [],
      aside: await detachedParts(engine),
      damaged: [],
    };
  }
}
