import { useState } from 'react';
import type { Notifier } from '../../../data/alerts.js';
import type { NotificationRoute } from '../../../data/alerting/routes.js';
import { Button } from '../../../widgets/inputs/button.js';
import { Checkbox } from '../../../widgets/inputs/checkbox.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { Drawer } from '../../../widgets/overlays/dialog.js';
import { errorText } from '../../../widgets/states.js';
import { MonitorPicker } from '../monitor-picker.js';
import styles from '../monitors.module.css';
import { type RouteDraft, routeDraftOf, routeOf, routeProblems, severities } from './route-draft.js';

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
  const [draft, setDraft] = useState(routeDraftOf(route));
  const [tried, setTried] = useState(false);
  const [saving, setSaving] = useState(false);
  const [rejection, setRejection] = useState<string>();
  const found = routeProblems(draft);
  const problems = tried ? found : {};
  const onChange = (change: Partial<RouteDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const write = async (next: NotificationRoute | undefined): Promise<void> => {
    if (saving) return;
    setSaving(true);
    setRejection(undefined);
    try {
      await onSave(next);
      onClose();
    } catch (error) {
      setRejection(errorText(error));
      setSaving(false);
    }
  };
  const save = (): void => {
    setTried(true);
    if (Object.keys(found).length === 0) void write(routeOf(draft));
  };
  return (
    <Drawer
      title={route === undefined ? 'New route' : 'Edit route'}
      open
      wide
      onClose={onClose}
      actions={
        <>
          {route !== undefined && (
            <Button kind="danger" needs={update} disabled={saving} onPress={() => void write(undefined)}>
              Delete
            </Button>
          )}
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" needs={update} disabled={saving} onPress={save}>
            {route === undefined ? 'Create route' : 'Save'}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        <TextField
          label="Name"
          value={draft.name}
          onChange={(name) => onChange({ name })}
          problem={problems.name}
          autoFocus
          placeholder="Payments"
        />
        <TextField
          label="Labels that a monitor has"
          value={draft.labels}
          onChange={(labels) => onChange({ labels })}
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
                onChange({
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
          onChange={(monitorIds) => onChange({ monitorIds })}
        />
        <NotifierBoxes
          title="Notifies"
          notifiers={notifiers}
          ids={draft.notifierIds}
          onChange={(notifierIds) => onChange({ notifierIds })}
        />
        <TextField
          label="Escalate after, minutes without acknowledgment"
          value={draft.afterMinutes}
          onChange={(afterMinutes) => onChange({ afterMinutes })}
          problem={problems.afterMinutes}
          placeholder="never"
        />
        {draft.afterMinutes.trim() !== '' && (
          <NotifierBoxes
            title="Then also notifies"
            notifiers={notifiers}
            ids={draft.escalatedIds}
            problem={problems.escalatedIds}
            onChange={(escalatedIds) => onChange({ escalatedIds })}
          />
        )}
        <Checkbox checked={draft.continues} onChange={(continues) => onChange({ continues })}>
          Look at later routes too
        </Checkbox>
        {rejection !== undefined && (
          <p className={styles.problem} role="alert">
            {rejection}
          </p>
        )}
      </div>
    </Drawer>
  );
}

function NotifierBoxes({
  title,
  notifiers,
  ids,
  problem,
  onChange,
}: {
  readonly title: string;
  readonly notifiers: readonly Notifier[];
  readonly ids: readonly string[];
  readonly problem?: string | undefined;
  readonly onChange: (ids: readonly string[]) => void;
}) {
  return (
    <div className={styles.boxes} role="group" aria-label={title}>
      <span className={styles.heading}>{title}</span>
      {notifiers.map(({ id, name }) => (
        <Checkbox
          key={id}
          checked={ids.includes(id)}
          onChange={(is) => onChange(is ? [...ids, id] : ids.filter((each) => each !== id))}
        >
          {name}
        </Checkbox>
      ))}
      {notifiers.length === 0 && <p className={styles.hint}>No notifiers yet</p>}
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
