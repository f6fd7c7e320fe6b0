import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, EngineError } from '@millrace/engine';
import type { Arrivals } from '../../metadata/postgres/arrivals.js';
import type { Accounts } from '../event-storage.js';
import type { FieldStore } from '../fields/field-store.js';
import { partsAside } from '../tables/partition-counts.js';
import { rowsOfAll, type VerifyReport } from '../verify.js';

interface SharedAccountsDependencies {
  readonly engine: Engine;
  readonly arrivals: Pick<Arrivals, 'brought' | 'isOver' | 'settled'>;
  readonly fieldStore: Pick<FieldStore, 'checkpoints'>;
  readonly exists: (datasetId: number) => boolean;
  /** Learns what other processes have changed, and what they have under way. */
  readonly lookForNews: () => Promise<void>;
  /** How long what is under way is waited for, milliseconds. */
  readonly patience: number;
}

const pollMilliseconds = 50;

/**
 * What becomes of batches where several processes bring them in. Instead of a log there is what
 * PostgreSQL has of the order of arrival: who is to bring in what, and for a while how many rows
 * came.
 */
export class SharedAccounts implements Accounts {
  readonly #deps: SharedAccountsDependencies;
  /** What the engine refuses is told to whoever sent it, and nothing is tried again. */
  readonly refused = [];
  readonly retries = { pause: async () => '', resume: () => undefined };
  /** Nobody takes stock of what ClickHouse has on its disks: that is its operator's. */
  readonly inventory = { missing: [], accept: async () => undefined };

  constructor(deps: SharedAccountsDependencies) {
    this.#deps = deps;
  }

  /** Whoever knows a position was told it when its events were in. */
  async stateOf(position: bigint): Promise<'stored' | undefined> {
    return (await this.#deps.arrivals.isOver(position)) ? 'stored' : undefined;
  }

  /**
   * Waits until everything that was under way is over, of some datasets or of all: everything up to
   * the position that it returns is in, and nothing more comes there.
   * @throws EngineError `unavailable` when that takes too long, MetadataError
   */
  async settle(datasetIds?: readonly number[]): Promise<bigint> {
    const { arrivals, lookForNews, patience } = this.#deps;
    const until = performance.now() + patience;
    await lookForNews();
    const { last } = arrivals.settled;
    while (arrivals.settled.upTo(datasetIds) < last) {
      if (performance.now() > until) throw new EngineError('unavailable', 'inserts are under way for long');
      await sleep(pollMilliseconds);
      await lookForNews();
    }
    return last;
  }

  /** Compares how many rows came in lately with how many there are. */
  async verify(): Promise<VerifyReport> {
    const { engine, arrivals, fieldStore, exists } = this.#deps;
    const before = await fieldStore.checkpoints();
    const brought = await arrivals.brought();
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
      aside: await partsAside(engine),
    };
  }
}
