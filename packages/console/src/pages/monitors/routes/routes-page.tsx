import { useState } from 'react';
import { api } from '../../../data/api.js';
import { refreshAlerts, useMonitors, useNotifiers } from '../../../data/alerts.js';
import { type NotificationRoute, type RoutesTest, type RouteTable, useRoutes } from '../../../data/alerting/routes.js';
import { notify } from '../../../widgets/overlays/toast.js';
import { RecordPage } from '../../../widgets/record-page.js';
import { errorText } from '../../../widgets/states.js';
import monitorStyles from '../monitors.module.css';
import { RouteDrawer } from './route-drawer.js';
import { RouteTree } from './route-tree.js';
import { WhoIsNotified } from './who-is-notified.js';

const update = { org: 'notifiers', action: 'update' } as const;

/** The table of routes as a tree, and a test of it. */
export function RoutesPage() {
  const table = useRoutes();
  const { data } = table;
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
  return (
    <RecordPage
      title="Routes"
      noun="a route"
      records={table}
      isEmpty={({ routes }) => routes.length === 0}
      about="Routes choose notifiers by the labels and severity of monitors, in addition to a monitor's own notifiers."
      needs={update}
      onNew={() => edit(data?.routes.length ?? 0)}
      overlay={
        editing !== undefined && (
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
        )
      }
    >
      {({ routes, version }) => (
        <div className={monitorStyles.columns}>
          <div className={monitorStyles.main}>
            <RouteTree
              routes={routes}
              names={names}
              matching={test?.routes.map(({ index }) => index)}
              onEdit={edit}
              onMove={(index, by) => {
                const moved = [...routes];
                moved.splice(index + by, 0, ...moved.splice(index, 1));
                void write(moved, version).catch((problem: unknown) =>
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
    </RecordPage>
  );
}
