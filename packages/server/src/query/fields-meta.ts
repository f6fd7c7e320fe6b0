import type { Metadata } from '../metadata/metadata.js';
import type { QueryOutcome } from './run.js';

/** What users said about the fields of a result, by dataset: only fields that appear in it. */
export async function fieldsMetaOf(outcome: QueryOutcome, metadata: Metadata): Promise<Record<string, unknown>> {
  const byDataset: Record<string, unknown> = {};
  for (const name of outcome.compiled.datasets) {
    const record = metadata.datasets.find(name);
    if (record === undefined) continue;
    const said = await metadata.fields.of(record.datasetId);
    byDataset[name] = outcome.table.output.map((column) => {
      const { unit = '', hidden = false, description = '' } = said.get(column.name) ?? {};
      return { name: column.name, type: column.typeName, unit, hidden, description };
    });
  }
  return byDataset;
}
