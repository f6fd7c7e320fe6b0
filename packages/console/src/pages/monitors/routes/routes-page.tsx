import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../data/api.js';
import { refreshAlerts, useMonitors, useNotifiers } from '../../../data/alerts.js';
import { type NotificationRoute, type RoutesTest, type RouteTable, useRoutes } from '../../../data/alerting/routes.js';
import { AlertsNav } from '../../../widgets/alerts-nav.js';
import { Button } from '../../../widgets/inputs/button.js';
import { notify } from '../../../widgets/overlays/toast.js';
import { BarSpace, Page } from '../../../widgets/page.js';
import { EmptyState, ErrorState, errorText, Loading } from '../../../widgets/states.js';
import monitorStyles from '../monitors.module.css';
import { RouteDrawer } from './route-drawer.js';
import { RouteTree } from './route-tree.js';
import { WhoIsNotified } from './who-is-notified.js';

const update = { org: 'notifiers', action: 'update' } as const;

/** The table of routes as a tree, and a test of it. */
export function RoutesPage() {
  const { data, error, refetch } = useRoutes();
  const monitors = useMonitors().data ?? [];
  const notifiers = useNotifiers().data ?? [];
  /**
   * The edited route's position, after the last for a new one, in the table as it was then: the
   * server rejects the change if another one came first.
   */
  const [editing, setEditing] = useState<{ readonly index: number; readonly table: RouteTable }>();
  const [test, setTest] = useState<RoutesTest>();
  const write = async (routes: readonly NotificationRoute[], version: number): Promise<void> => {
    await api.call('replaceNotificationRoutes', { body: { routes: [...routes], version } });
    setTest(undefined);
    await refreshAlerts();
  };
  const names = {
    notifier: (id: string): string => notifiers.find((each) => each.id === id)?.name ?? id,
    monitor: (id: string): string => monitors.find((each) => each.id === id)?.name ?? id,
  };
  const edit = (index: number): void => {
    if (data !== undefined) setEditing({ index, table: data });
  };
  const make = (): void => edit(data?.routes.length ?? 0);
  return (
    <Page
      title="Routes"
      flow={error !== null ? 'failed' : data === undefined ? 'running' : 'idle'}
      bar={
        <>
          <AlertsNav />
          <BarSpace />
          <Button kind="primary" needs={update} onPress={make}>
            <Plus aria-hidden /> New route
          </Button>
        </>
      }
    >
      {error !== null ? (
        <ErrorState title="Could not load routes" error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading />
      ) : data.routes.length === 0 ? (
        <EmptyState
          title="No routes yet"
          actions={
            <Button kind="primary" needs={update} onPress={make}>
              Create a route
            </Button>
          }
        >
          Routes choose notifiers by labels and severity of monitors, in addition to those that a monitor names.
        </EmptyState>
      ) : (
        <div className={monitorStyles.columns}>
          <div className={monitorStyles.main}>
            <RouteTree
              routes={data.routes}
              names={names}
              matching={test?.routes.map(({ index }) => index)}
              onEdit={edit}
              onMove={(index, by) => {
                const routes = [...data.routes];
                routes.splice(index + by, 0, ...routes.splice(index, 1));
                void write(routes, data.version).catch((problem: unknown) =>
                  notify({ text: errorText(problem), kind: 'problem' }),
                );
              }}
            />
          </div>
          <aside className={monitorStyles.side} aria-label="Who would be notified?">
            <WhoIsNotified monitors={monitors} names={names} result={test} onResult={setTest} />
          </aside>
        </div>
      )}
      {editing !== undefined && (
        <RouteDrawer
          key={editing.index}
          route={editing.table.routes[editing.index]}
          notifiers={notifiers}
          onClose={() => setEditing(undefined)}
          onSave={(route) => {
            const { routes, version } = editing.table;
            return write(routes.toSpliced(editing.index, 1, ...(route === undefined ? [] : [route])), version);
          }}
        />
      )}
    </Page>
  );
}
