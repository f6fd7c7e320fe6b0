import type { Part } from '../encode-body.js';
import { requireFewDatasets } from '../most-datasets.js';

/**
 * The label that names the dataset of a stream, where neither the path nor the tenant does; it is
 * no field.
 */
export const datasetLabel = '_axiom_dataset_key';

/** Which streams of a push are read, if their labels name datasets. */
export class PartOfStreams {
  /** Datasets of streams that are not read. */
  readonly others = new Set<string>();
  readonly #part: Part | undefined;

  constructor(part: Part | undefined) {
    this.#part = part;
  }

  /** Whether labels may name datasets, and are looked through for that. */
  get isNamed(): boolean {
    return this.#part !== undefined;
  }

  /**
   * Whether a stream is read whose labels name this dataset, or none.
   * @throws HttpError `too-many-datasets`
   */
  takes(dataset: string | undefined): boolean {
    if (this.#part === undefined) return true;
    const { dataset: own, rest } = this.#part;
    if (dataset === undefined || dataset === '') return rest;
    if (dataset === own) return true;
    this.others.add(dataset);
    requireFewDatasets(this.others);
    return false;
  }
}
