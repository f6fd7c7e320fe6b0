import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCommands } from '../data/commands.js';
import type { RequiredPermission } from '../data/permissions.js';
import { AlertsNav } from './alerts-nav.js';
import { Button } from './inputs/button.js';
import { BarSpace, Page } from './page.js';
import { EmptyState, ErrorState, LoadingNotice } from './states.js';

interface Records<T> {
  /** Undefined until they are loaded. */
  readonly data: T | undefined;
  readonly error: Error | null;
  refetch(): Promise<unknown>;
}

interface RecordPageProps<T> {
  /** In the plural: `Silences`. */
  readonly title: string;
  /** With its article: `a silence`. */
  readonly noun: `${'a' | 'an'} ${string}`;
  readonly records: Records<T>;
  readonly isEmpty: (data: T) => boolean;
  /** What such a record is for, while there is none. */
  readonly about: string;
  /** Permission to create one. */
  readonly needs: RequiredPermission;
  readonly onNew: () => void;
  readonly children: (data: T) => ReactNode;
  /** Shown in any state, such as the drawer of an open record. */
  readonly overlay?: ReactNode;
  /** Links to related pages; those between the pages of alerts by default. */
  readonly nav?: ReactNode;
}

/** Page with the records of one kind, such as silences. */
export function RecordPage<T>({
  title,
  noun,
  records: { data, error, refetch },
  isEmpty,
  about,
  needs,
  onNew,
  children,
  overlay,
  nav = <AlertsNav />,
}: RecordPageProps<T>) {
  const create = `New ${noun.replace(/^an? /, '')}`;
  // `SLOs` stays.
  const many = title.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
  useCommands([{ id: `${title.toLowerCase()}.new`, title: create, group: title, keys: ['n'], run: onNew }]);
  return (
    <Page
      title={title}
      flow={error !== null ? 'failed' : data === undefined ? 'running' : 'idle'}
      bar={
        <>
          {nav}
          <BarSpace />
          <Button kind="primary" needs={needs} onPress={onNew}>
            <Plus aria-hidden /> {create}
          </Button>
        </>
      }
    >
      {error !== null ? (
        <ErrorState title={`Could not load ${many}`} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingNotice />
      ) : isEmpty(data) ? (
        <EmptyState
          title={`No ${many} yet`}
          actions={
            <Button kind="primary" needs={needs} onPress={onNew}>
              Create {noun}
            </Button>
          }
        >
          {about}
        </EmptyState>
      ) : (
        children(data)
      )}
      {overlay}
    </Page>
  );
}
