import { ArrowDown, ArrowUp, BellRing, CornerDownRight, Pencil } from 'lucide-react';
import type { NotificationRoute } from '../../../data/alerting/routes.js';
import { Chip } from '../../../widgets/chip.js';
import { IconButton } from '../../../widgets/inputs/button.js';
import { wordsOfMinutes } from '../../../data/format-units.js';
import styles from './routes.module.css';

export interface Names {
  readonly notifier: (id: string) => string;
  readonly monitor: (id: string) => string;
}

const update = { org: 'notifiers', action: 'update' } as const;

/** Routes in order: a monitor goes down until a route matches it and does not continue. */
export function RouteTree({
  routes,
  names,
  matching,
  onEdit,
  onMove,
}: {
  readonly routes: readonly NotificationRoute[];
  readonly names: Names;
  /** Positions of the routes that match a test; undefined without one. */
  readonly matching: readonly number[] | undefined;
  readonly onEdit: (index: number) => void;
  readonly onMove: (index: number, by: 1 | -1) => void;
}) {
  return (
    <ol className={styles.tree} aria-label="Routes">
      {routes.map((route, index) => (
        <li
          key={`${index} ${route.name}`}
          className={styles.route}
          {...(matching !== undefined && { 'data-match': matching.includes(index) ? 'yes' : 'no' })}
        >
          <div className={styles.head}>
            <span className={styles.place}>{index + 1}</span>
            <strong className={styles.name}>{route.name}</strong>
            <Conditions route={route} names={names} />
            <span className={styles.actions}>
              <IconButton
                small
                needs={update}
                disabled={index === 0}
                label={`Move ${route.name} up`}
                onPress={() => onMove(index, -1)}
              >
                <ArrowUp />
              </IconButton>
              <IconButton
                small
                needs={update}
                disabled={index === routes.length - 1}
                label={`Move ${route.name} down`}
                onPress={() => onMove(index, 1)}
              >
                <ArrowDown />
              </IconButton>
              <IconButton small needs={update} label={`Edit ${route.name}`} onPress={() => onEdit(index)}>
                <Pencil />
              </IconButton>
            </span>
          </div>
          <ul className={styles.notified}>
            <li>
              <BellRing aria-hidden className={styles.icon} />
              {route.notifierIds.length === 0
                ? 'notifies no one, and hides later routes'
                : route.notifierIds.map((id) => <Chip key={id}>{names.notifier(id)}</Chip>)}
            </li>
            {route.escalation !== undefined && (
              <li>
                <CornerDownRight aria-hidden className={styles.icon} />
                after {wordsOfMinutes(route.escalation.afterMinutes)} without acknowledgment
                {route.escalation.notifierIds.map((id) => (
                  <Chip key={id} tone="warn">
                    {names.notifier(id)}
                  </Chip>
                ))}
              </li>
            )}
          </ul>
          <p className={styles.next}>
            {route.continue === true ? '↓ continues with the next route' : '■ stops at a match'}
          </p>
        </li>
      ))}
    </ol>
  );
}

function Conditions({ route, names }: { readonly route: NotificationRoute; readonly names: Names }) {
  const { labels = {}, severities = [], monitorIds = [] } = route;
  const all = [
    ...Object.entries(labels).map(([name, value]) => `${name}=${value}`),
    ...(severities.length === 0 ? [] : [severities.join(' or ')]),
    ...(monitorIds.length === 0 ? [] : [monitorIds.map(names.monitor).join(' or ')]),
  ];
  return (
    <span className={styles.conditions}>
      {all.length === 0 ? (
        <Chip>every monitor</Chip>
      ) : (
        all.map((text) => (
          <Chip key={text} tone="info">
            {text}
          </Chip>
        ))
      )}
    </span>
  );
}
