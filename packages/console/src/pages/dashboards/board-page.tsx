import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isRefusal } from '../../data/api.js';
import { Page } from '../../widgets/page.js';
import { EmptyState, ErrorState, Loading } from '../../widgets/states.js';
import { OpenBoard } from './open-board.js';
import { readBoard, recordKey } from './document/records.js';

/** One dashboard: read once, and then as it is on the screen. */
export function BoardPage() {
  const { uid = '' } = useParams({ strict: false }) as { readonly uid?: string };
  const { data, error, refetch } = useQuery({
    queryKey: recordKey(uid),
    queryFn: ({ signal }) => readBoard(uid, signal),
    staleTime: Infinity,
    // What is kept from another visit may be old.
    refetchOnMount: 'always',
    retry: (failures, problem) => failures < 3 && !isRefusal(problem),
  });
  if (data !== undefined) return <OpenBoard key={uid} record={data} />;
  return (
    <Page title="Dashboard">
      {isRefusal(error) && error.status === 404 ? (
        <EmptyState title="There is no such dashboard">It was deleted, or it is somebody else’s own.</EmptyState>
      ) : error !== null ? (
        <ErrorState title="The dashboard cannot be shown" error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}
