import { useParams } from '@tanstack/react-router';
import { DatasetList } from './dataset-list.js';
import { OneDataset } from './one-dataset.js';

/** All datasets, or one of them. */
export function DatasetsPage() {
  const { name, tab } = useParams({ strict: false }) as { readonly name?: string; readonly tab?: string };
  return name === undefined ? <DatasetList /> : <OneDataset name={name} tab={tab ?? 'fields'} key={name} />;
}
