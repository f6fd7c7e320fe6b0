import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isRefusal } from '../../data/api.js';
import { Page } from '../../widgets/page.js';
import { EmptyState, ErrorState, LoadingNotice } from '../../widgets/states.js';
import { OpenBoard } from './open-dashboard.js';
import { readBoard, recordKey } from './document/records.js';
import { useTv } from './tv/tv-params.js';

/** Loads a dashboard once; afterwards the page owns its state. */
export function BoardPage() {
  const { uid = '' } = useParams({ strict: false }) as { readonly uid?: string };
  const tv = useTv(uid);
  const { data, error, refetch } = useQuery({
    queryKey: recordKey(uid),
    queryFn: ({ signal }) => readBoard(uid, signal),
    staleTime: Infinity,
    // A copy cached by another visit may be outdated.
    refetchOnMount: 'always',
    retry: (failures, problem) => failures < 3 && !isRefusal(problem),
  });
  if (data !== undefined)
    return <OpenBoard key={uid} record={data} tv={tv.tv ? { place: placeOf(tv.rotate, uid) } : undefined} />;
  return (
    <Page title="Dashboard">
      {isRefusal(error) && error.status === 404 ? (
        <EmptyState title="Dashboard not found">It was deleted or is private to another user.</EmptyState>
      ) : error !== null ? (
        <ErrorState title="Could not load the dashboard" error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingNotice />
      )}
    </Page>
  );
}

/** Place in the rotation: `2 of 3`. */
const placeOf = (rotate: readonly string[], uid: string): string | undefined =>
  rotate.length < 2 ? undefined : `${rotate.indexOf(uid) + 1} of ${rotate.length}`;
