import type { EventData } from '../../datasets/event-data.js';
import type { DatasetRef } from '../../metadata/datasets.js';

/** The fields of a dataset in the order of their names, with their types. */
export function listedFields(storage: Pick<EventData, 'fields'>, dataset: DatasetRef) {
  const fields = storage.fields(dataset);
  return [...fields.names()].sort().map((name) => ({ name, type: fields.typeOf(name) }));
}
