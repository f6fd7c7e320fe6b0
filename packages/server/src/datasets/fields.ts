import type { DatasetRecord } from '../metadata/datasets.js';
import { noFieldMetadata } from '../metadata/field-metadata.js';
import type { DatasetField } from '../schemas/dataset.js';
import type { DatasetParts } from './lifecycle.js';

/** All fields of a dataset in the order of their names, with what users said about them. */
export async function fieldsOf(
  { metadata, data }: DatasetParts,
  dataset: DatasetRecord,
): Promise<readonly DatasetField[]> {
  const said = await metadata.fields.of(dataset.datasetId);
  const stored = new Map(data.fields(dataset).map(({ name, type }) => [name, type]));
  const names = [...new Set([...stored.keys(), ...said.keys()])].sort();
  return names.map((name) => ({ name, type: stored.get(name) ?? '', ...(said.get(name) ?? noFieldMetadata) }));
}

/** One field; `undefined` when no event has it and nobody said anything about it. */
export async function fieldOf(
  parts: DatasetParts,
  dataset: DatasetRecord,
  name: string,
): Promise<DatasetField | undefined> {
  return (await fieldsOf(parts, dataset)).find((candidate) => candidate.name === name);
}
