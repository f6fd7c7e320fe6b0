import type {
  DataHealth,
  DatasetSize,
  EventData,
  EventDeletions,
  EventShards,
  StoredFields,
} from '../datasets/event-data.js';
import type { DatasetRef } from '../datasets.js';

/**
 * In-memory events for tests of other parts: records which datasets have a place, and fails on
 * request.
 */
export class MemoryData implements EventData {
  /** Datasets that have a place, by number. */
  readonly places = new Map<number, DatasetRef>();
  readonly trims: { readonly name: string; readonly olderThan: bigint }[] = [];
  storedFields: readonly { readonly name: string; readonly type: string }[] = [];
  vacuumedFields: readonly string[] = [];
  size: DatasetSize = { rows: 0, bytes: 0, rawBytes: 0 };
  state: DataHealth = { ready: true, acknowledges: true, complete: true, reasons: [] };
  /** Thrown by the next call that changes something. */
  failure: Error | undefined;

  has({ datasetId }: DatasetRef): boolean {
    return this.places.has(datasetId);
  }

  async createDataset(dataset: DatasetRef): Promise<void> {
    this.#fail();
    this.places.set(dataset.datasetId, dataset);
  }

  async deleteDataset(dataset: DatasetRef): Promise<void> {
    this.#fail();
    this.places.delete(dataset.datasetId);
  }

  readonly shards: EventShards = { ready: () => [true], usable: () => 1, emptiest: async () => 1 };

  readonly deletions: EventDeletions = {
    trim: (dataset, olderThan) => this.deletions.expire(dataset, () => olderThan),
    expire: async ({ name }, olderThan) => {
      this.#fail();
      const time = olderThan();
      if (time === undefined) return 0;
      this.trims.push({ name, olderThan: time });
      return 3;
    },
    vacuum: async () => {
      this.#fail();
      return this.vacuumedFields;
    },
  };

  fields(): StoredFields {
    const types = new Map(this.storedFields.map(({ name, type }) => [name, type]));
    return { size: types.size, names: () => types.keys(), typeOf: (name) => types.get(name) };
  }

  async info(): Promise<DatasetSize> {
    this.#fail();
    return this.size;
  }

  health(): DataHealth {
    return this.state;
  }

  #fail(): void {
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
  }
}
