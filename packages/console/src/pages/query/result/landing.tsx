import type { DatasetInfo } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { api } from '../../../data/api.js';
import { datasetText } from '../../../data/apl-text.js';
import { isInternalDataset, useCatalog, useMay } from '../../../data/catalog.js';
import { isMetricsDataset } from '../../../data/metrics/metrics-dataset.js';
import { readDatasets } from '../../../data/dataset-info.js';
import { usePreferences } from '../../../data/preferences.js';
import { enqueueRequest } from '../../../data/request-queue.js';
import { nowInstant } from '../../../data/time/instants.js';
import type { Range } from '../../../data/time/ranges.js';
import { LoadingNotice } from '../../../widgets/states.js';
import { type Landing, landingOf } from './landing-query.js';

/** Maximum datasets whose newest events are compared, one request each. */
const MAX_COMPARED = 20;

/** The first page: the newest events of the last dataset; Welcome on a server without data. */
export function LandOnData() {
  const catalog = useCatalog();
  const { lastDataset } = usePreferences();
  const names = (catalog?.datasets ?? []).filter((each) => !isMetricsDataset(each)).map(({ name }) => name);
  const reads = useMay(readDatasets);
  const { data: landing } = useQuery({
    queryKey: ['landing', reads, lastDataset, names],
    queryFn: ({ signal }) => findLanding(names, lastDataset, reads, signal),
    enabled: catalog !== undefined,
    retry: false,
    gcTime: 0,
  });
  if (landing === undefined) return <LoadingNotice lines={12} />;
  if (landing === 'welcome' && catalog?.datasets.some(isMetricsDataset) === true)
    return <Navigate to={'/metrics' as string} replace />;
  if (landing === 'welcome') return <Navigate to={'/welcome' as string} replace />;
  const search = { q: datasetText(landing.dataset), ...(landing.from !== undefined && { from: landing.from }) };
  return <Navigate to={'/query' as string} search={search as never} replace />;
}

/** Redirects to the page of metrics: APL cannot query them. */
export const ToMetrics = ({ dataset, range: { from, to } }: { readonly dataset: string; readonly range: Range }) => (
  <Navigate to={'/metrics' as string} search={{ d: dataset, from, to } as never} replace />
);

async function findLanding(
  names: readonly string[],
  last: string,
  reads: boolean,
  signal: AbortSignal,
): Promise<Landing> {
  const others = names.filter((name) => !isInternalDataset(name)).slice(0, MAX_COMPARED);
  const compared = names.includes(last) ? [last, ...others.filter((name) => name !== last)] : others;
  const infos: DatasetInfo[] = [];
  // The last dataset is enough if it has events.
  for (const group of !reads ? [] : names.includes(last) ? [[last], compared.slice(1)] : [compared]) {
    const found = await Promise.all(group.map((name) => infoOf(name, signal)));
    infos.push(...found.flatMap((info) => info ?? []));
    if (infos.some(({ maxTime }) => maxTime !== undefined)) break;
  }
  const [first] = compared;
  // Without permission for statistics, the dataset is opened as it is.
  return infos.length === 0 && first !== undefined
    ? { dataset: first, from: undefined }
    : landingOf(infos, nowInstant());
}

const infoOf = async (name: string, signal: AbortSignal): Promise<DatasetInfo | undefined> => {
  try {
    return await enqueueRequest('rows', signal, () => api.call('getDatasetInfoV1', { params: { name }, signal }));
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
};
