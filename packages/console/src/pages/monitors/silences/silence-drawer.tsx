import { useState } from 'react';
import { api } from '../../../data/api.js';
import { refreshAlerts, type Silence, useMonitors } from '../../../data/alerts.js';
import { usePreferences } from '../../../data/preferences.js';
import { Button } from '../../../widgets/inputs/button.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { Drawer } from '../../../widgets/overlays/dialog.js';
import { notify } from '../../../widgets/overlays/toast.js';
import { errorText } from '../../../widgets/states.js';
import styles from '../monitors.module.css';
import { newSilence, silenceBodyOf, type SilenceDraft, silenceDraftOf, silenceProblems } from './silence-draft.js';
import { SilenceSchedule } from './silence-schedule.js';
import { SilenceTarget } from './silence-target.js';

const update = { org: 'monitors', action: 'update' } as const;

/** Form of a silence: what it is about, when, and why. */
export function SilenceDrawer({
  silence,
  draft: first,
  onClose,
}: {
  /** Undefined for a new one. */
  readonly silence?: Silence | undefined;
  /** What a new one starts with. */
  readonly draft?: Partial<SilenceDraft> | undefined;
  readonly onClose: () => void;
}) {
  const { zone } = usePreferences();
  const monitors = useMonitors().data ?? [];
  const [draft, setDraft] = useState<SilenceDraft>(
    silence === undefined ? newSilence(zone, first) : silenceDraftOf(silence, zone),
  );
  const [tried, setTried] = useState(false);
  const [saving, setSaving] = useState(false);
  const [rejection, setRejection] = useState<string>();
  const found = silenceProblems(draft, zone);
  const problems = tried ? found : {};
  const onChange = (change: Partial<SilenceDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const save = async (): Promise<void> => {
    setTried(true);
    if (Object.keys(found).length > 0 || saving) return;
    setSaving(true);
    setRejection(undefined);
    try {
      const body = silenceBodyOf(draft, zone, silence);
      await (silence === undefined
        ? api.call('createSilence', { body })
        : api.call('updateSilence', { params: { id: silence.id }, body }));
      await refreshAlerts();
      notify({ text: silence === undefined ? 'Silence created' : 'Silence saved' });
      onClose();
    } catch (error) {
      setRejection(errorText(error));
      setSaving(false);
    }
  };
  return (
    <Drawer
      title={silence === undefined ? 'New silence' : 'Edit silence'}
      open
      wide
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" needs={update} disabled={saving} onPress={() => void save()}>
            {silence === undefined ? 'Create silence' : 'Save'}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        <TextField
          label="Reason"
          value={draft.reason}
          onChange={(reason) => onChange({ reason })}
          problem={problems.reason}
          autoFocus
          placeholder="Database upgrade"
        />
        <SilenceTarget draft={draft} monitors={monitors} problems={problems} onChange={onChange} />
        <SilenceSchedule draft={draft} zone={zone} problems={problems} onChange={onChange} />
        {rejection !== undefined && (
          <p className={styles.problem} role="alert">
            {rejection}
          </p>
        )}
        <p className={styles.hint}>
          Takes effect with the next run. Monitors keep running; open incidents are closed at receivers, and those still
          open at the end notify again.
        </p>
      </div>
    </Drawer>
  );
}
