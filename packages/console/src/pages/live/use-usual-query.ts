import { datasetText } from '../../data/apl-text.js';
import { isInternalDataset, useCatalog } from '../../data/catalog.js';
import { usePreferences } from '../../data/preferences.js';

/** Where Live begins without a query: at the dataset used last, or at the only one with events. */
export function useUsualQuery(): string {
  const datasets = useCatalog()?.datasets ?? [];
  const { lastDataset } = usePreferences();
  const own = datasets.filter(({ name }) => !isInternalDataset(name));
  const only = own.length === 1 ? own[0]!.name : undefined;
  const name = datasets.some((each) => each.name === lastDataset) ? lastDataset : only;
  return name === undefined ? '' : datasetText(name);
}
