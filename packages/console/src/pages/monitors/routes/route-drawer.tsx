import type { Notifier } from '../../../data/alerts.js';
import type { NotificationRoute } from '../../../data/alerting/routes.js';
import { Checkbox } from '../../../widgets/inputs/checkbox.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { RecordDrawer } from '../../../widgets/overlays/record-drawer.js';
import { useDraft } from '../../../widgets/overlays/use-draft.js';
import { MonitorPicker } from '../monitor-picker.js';
import styles from '../monitors.module.css';
import { NotifierBoxes } from '../notifier-boxes.js';
import { routeDraftOf, routeOf, routeProblems, severities } from './route-draft.js';

const update = { org: 'notifiers', action: 'update' } as const;

/** Form of a route. */
export function RouteDrawer({
  route,
  notifiers,
  onClose,
  onSave,
}: {
  /** Undefined for a new one. */
  readonly route: NotificationRoute | undefined;
  readonly notifiers: readonly Notifier[];
  readonly onClose: () => void;
  /** Writes it in its place; undefined deletes it. */
  readonly onSave: (route: NotificationRoute | undefined) => Promise<void>;
}) {
  const { draft, change, problems, check } = useDraft(() => routeDraftOf(route), routeProblems);
  return (
    <RecordDrawer
      title={route === undefined ? 'New route' : 'Edit route'}
      noun="route"
      isNew={route === undefined}
      needs={update}
      check={check}
      onSave={() => onSave(routeOf(draft))}
      deletion={
        route && {
          needs: update,
          title: `Delete ${route.name}?`,
          text: 'Its notifiers receive no more alerts through it. Their open incidents are resolved.',
          run: () => onSave(undefined),
        }
      }
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={draft.name}
        onChange={(name) => change({ name })}
        problem={problems.name}
        autoFocus
        placeholder="Payments"
      />
      <TextField
        label="Labels that a monitor has"
        value={draft.labels}
        onChange={(labels) => change({ labels })}
        problem={problems.labels}
        lines={2}
        description="One per line, such as team=payments. Without conditions the route matches every monitor."
        mono
      />
      <div className={styles.days} role="group" aria-label="Severities">
        {severities.map((each) => (
          <Checkbox
            key={each}
            checked={draft.severities.includes(each)}
            onChange={(is) =>
              change({
                severities: is ? [...draft.severities, each] : draft.severities.filter((other) => other !== each),
              })
            }
          >
            {each}
          </Checkbox>
        ))}
      </div>
      <MonitorPicker
        label="Only these monitors"
        ids={draft.monitorIds}
        onChange={(monitorIds) => change({ monitorIds })}
      />
      <Notifies
        title="Notifies"
        notifiers={notifiers}
        ids={draft.notifierIds}
        onChange={(notifierIds) => change({ notifierIds })}
      />
      <TextField
        label="Escalate after, minutes without acknowledgment"
        value={draft.afterMinutes}
        onChange={(afterMinutes) => change({ afterMinutes })}
        problem={problems.afterMinutes}
        placeholder="never"
      />
      {draft.afterMinutes.trim() !== '' && (
        <Notifies
          title="Then also notifies"
          notifiers={notifiers}
          ids={draft.escalatedIds}
          problem={problems.escalatedIds}
          onChange={(escalatedIds) => change({ escalatedIds })}
        />
      )}
      <Checkbox checked={draft.continues} onChange={(continues) => change({ continues })}>
        Look at later routes too
      </Checkbox>
    </RecordDrawer>
  );
}

function Notifies({
  title,
  problem,
  ...choice
}: Parameters<typeof NotifierBoxes>[0] & { readonly title: string; readonly problem?: string | undefined }) {
  return (
    <div className={styles.boxes} role="group" aria-label={title}>
      <span className={styles.heading}>{title}</span>
      <NotifierBoxes {...choice} />
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
