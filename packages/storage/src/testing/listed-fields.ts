import type { EventData } from '@millrace/metadata/datasets/event-data';
import type { DatasetRef } from '@millrace/metadata/datasets';

/** The fields of a dataset by name, with their types. */
export function listedFields(storage: Pick<EventData, 'fields'>, dataset: DatasetRef) {
  const fields = storage.fields(dataset);
  return [...fields.names()].sort().map((name) => ({ name, type: fields.typeOf(name) }));
}
