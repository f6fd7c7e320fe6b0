import type { OutputColumn } from '@millrace/apl';
import type { Metadata } from '../metadata/metadata.js';

export interface FieldMeta {
  readonly name: string;
  readonly type: string;
  readonly unit: string;
  readonly hidden: boolean;
  readonly description: string;
}

/** What users said about the fields of a result, by dataset: only fields that appear in it. */
export async function fieldsMetaMapOf(
  output: readonly OutputColumn[],
  datasets: readonly string[],
  metadata: Metadata,
): Promise<Record<string, readonly FieldMeta[]>> {
  const byDataset: Record<string, readonly FieldMeta[]> = {};
  for (const name of datasets) {
    const record = metadata.datasets.find(name);
    if (record === undefined) continue;
    const said = await metadata.fields.of(record.datasetId);
    byDataset[name] = output.map((column) => {
      const { unit = '', hidden = false, description = '' } = said.get(column.name) ?? {};
      return { name: column.name, type: column.typeName, unit, hidden, description };
    });
  }
  return byDataset;
}
