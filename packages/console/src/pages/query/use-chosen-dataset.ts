import { useEffect, useMemo, useState } from 'react';
import { sourceIn } from '../../data/apl-text.js';
import { useCatalog } from '../../data/catalog.js';
import { isMetricsDataset } from '../../data/metrics/metrics-dataset.js';
import { setPreferences, usePreferences } from '../../data/preferences.js';

/**
 * Dataset of searches: the one picked since the query ran, the one in the query, the last one
 * used, or the first.
 */
export function useChosenDataset(q: string): {
  readonly chosen: string | undefined;
  readonly pick: (dataset: string) => void;
} {
  const catalog = useCatalog();
  // Metrics cannot be searched.
  const datasets = useMemo(() => catalog?.datasets.filter((each) => !isMetricsDataset(each)), [catalog]);
  const { lastDataset } = usePreferences();
  const [picked, setPicked] = useState<string>();
  useEffect(() => setPicked(undefined), [q]);
  const knownName = (name: string | undefined): string | undefined =>
    datasets?.some((each) => each.name === name) === true ? name : undefined;
  const source = knownName(sourceIn(q));
  const chosen = knownName(picked) ?? source ?? knownName(lastDataset) ?? datasets?.[0]?.name;
  useEffect(() => {
    if (source !== undefined) setPreferences({ lastDataset: source });
  }, [source]);
  return { chosen, pick: setPicked };
}
