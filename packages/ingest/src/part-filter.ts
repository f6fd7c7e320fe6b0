import { requireFewDatasets } from './dataset-limit.js';
import type { Part } from './encode-body.js';

/** Selects the events of a body that are for one dataset, if the events name their datasets. */
export class PartFilter {
  /** Datasets of events that are not selected. */
  readonly others = new Set<string>();
  readonly #part: Part | undefined;

  constructor(part: Part | undefined) {
    this.#part = part;
  }

  /** Whether events may name datasets, so that their names must be parsed. */
  get isNamed(): boolean {
    return this.#part !== undefined;
  }

  /**
   * Whether events that name this dataset, or none, are selected.
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
