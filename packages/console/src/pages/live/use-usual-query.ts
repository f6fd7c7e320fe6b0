import { datasetText } from '../../data/apl-text.js';
import { isInternalDataset, useCatalog } from '../../data/catalog.js';
import { isMetricsDataset } from '../../data/metrics/metrics-dataset.js';
import { usePreferences } from '../../data/preferences.js';

/** Where Live begins without a query: at the dataset used last, or else at the first. */
export function useUsualQuery(): string {
  const datasets = useCatalog()?.datasets ?? [];
  const { lastDataset } = usePreferences();
  const first = datasets.find((each) => !isInternalDataset(each.name) && !isMetricsDataset(each))?.name;
  const name = datasets.some((each) => each.name === lastDataset) ? lastDataset : first;
  return name === undefined ? '' : datasetText(name);
}
