import { type Notifier, useMonitors, useNotifiers } from '../../data/alerts.js';
import { useRoutes } from '../../data/alerting/routes.js';
import { countOf } from '../../data/format-units.js';
import { mutedUntil } from '../../data/mute.js';
import { queryParam, textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import { Chip } from '../../widgets/chip.js';
import { DataTable } from '../../widgets/data-table.js';
import { RelativeTime } from '../../widgets/relative-time.js';
import { RecordPage } from '../../widgets/record-page.js';
import { channelIn, channels } from './channels.js';
import { NotifierSheet } from './notifier-drawer.js';
import styles from './notifiers.module.css';

const params = { id: queryParam(textParam()), sort: textParam('name') };
const create = { org: 'notifiers', action: 'create' } as const;

/** List of notifiers. */
export function NotifiersPage() {
  const [{ id, sort }, change] = useUrlState(params);
  const notifiers = useNotifiers();
  const monitors = useMonitors().data ?? [];
  const routes = useRoutes().data?.routes ?? [];
  const open = notifiers.data?.find((each) => each.id === id);
  const usedBy = ({ id: used }: Notifier) => ({
    monitors: monitors.filter(({ notifierIds }) => notifierIds.includes(used)).length,
    routes: routes.filter((route) => [...route.notifierIds, ...(route.escalation?.notifierIds ?? [])].includes(used))
      .length,
  });
  return (
    <RecordPage
      title="Notifiers"
      noun="a notifier"
      records={notifiers}
      isEmpty={({ length }) => length === 0}
      about="Notifiers deliver alerts to Slack, email, PagerDuty, webhooks and more. Send a test to verify delivery."
      needs={create}
      onNew={() => change({ id: 'new' })}
      overlay={
        (id === 'new' || open !== undefined) && (
          <NotifierSheet
            key={id}
            notifier={open}
            onClose={() => change({ id: '' })}
            onSaved={(saved) => change({ id: saved.id })}
          />
        )
      }
    >
      {(data) => (
        <DataTable
          label="Notifiers"
          items={data}
          idOf={(each) => each.id}
          sort={sort}
          onSort={(next) => change({ sort: next })}
          onOpen={(each) => change({ id: each.id })}
          columns={[
            {
              id: 'name',
              title: 'Name',
              isName: true,
              by: ({ name }) => name,
              cell: ({ name }) => <strong className={styles.name}>{name}</strong>,
            },
            {
              id: 'channel',
              title: 'Channel',
              by: ({ properties }) => channels[channelIn(properties)].title,
              cell: ({ properties }) => channels[channelIn(properties)].title,
            },
            { id: 'to', title: 'To', cell: (each) => destinationOf(each) },
            {
              id: 'used',
              title: 'Used by',
              by: (each) => -usedBy(each).monitors - usedBy(each).routes,
              cell: (each) => usesText(usedBy(each)),
            },
            {
              id: 'state',
              title: 'State',
              cell: (each) => {
                const until = mutedUntil(each);
                return until === undefined ? (
                  <Chip tone="good">on</Chip>
                ) : (
                  <Chip>
                    muted until <RelativeTime at={until} />
                  </Chip>
                );
              },
            },
          ]}
        />
      )}
    </RecordPage>
  );
}

/** `3 monitors, 1 route`. */
function usesText({ monitors, routes }: { readonly monitors: number; readonly routes: number }): string {
  const uses = Object.entries({ monitor: monitors, route: routes }).filter(([, count]) => count > 0);
  return uses.length === 0 ? 'nothing' : uses.map(([noun, count]) => countOf(count, noun)).join(', ');
}

/** Without secrets: URLs up to their host. */
function destinationOf({ properties }: Notifier): string {
  const given = (properties[channelIn(properties)] ?? {}) as Readonly<Record<string, unknown>>;
  if (properties.email !== undefined) return properties.email.emails.join(', ');
  if (properties.discord !== undefined) return `channel ${properties.discord.discordChannel}`;
  const url = Object.entries(given).find(([name]) => /url$/i.test(name))?.[1];
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host : '–';
}
