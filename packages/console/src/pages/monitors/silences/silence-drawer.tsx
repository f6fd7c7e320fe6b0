import { api } from '../../../data/api.js';
import { type Silence, useMonitors } from '../../../data/alerts.js';
import { usePreferences } from '../../../data/preferences.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { RecordDrawer } from '../../../widgets/overlays/record-drawer.js';
import { useDraft } from '../../../widgets/overlays/use-draft.js';
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
  const { draft, change, problems, check } = useDraft<SilenceDraft, ReturnType<typeof silenceProblems>>(
    () => (silence === undefined ? newSilence(zone, first) : silenceDraftOf(silence, zone)),
    (each) => silenceProblems(each, zone),
  );
  return (
    <RecordDrawer
      title={silence === undefined ? 'New silence' : 'Edit silence'}
      noun="silence"
      isNew={silence === undefined}
      needs={update}
      check={check}
      onSave={() => {
        const body = silenceBodyOf(draft, zone, silence);
        return silence === undefined
          ? api.call('createSilence', { body })
          : api.call('updateSilence', { params: { id: silence.id }, body });
      }}
      onClose={onClose}
    >
      <TextField
        label="Reason"
        value={draft.reason}
        onChange={(reason) => change({ reason })}
        problem={problems.reason}
        autoFocus
        placeholder="Database upgrade"
      />
      <SilenceTarget draft={draft} monitors={monitors} problems={problems} onChange={change} />
      <SilenceSchedule draft={draft} zone={zone} problems={problems} onChange={change} />
      <p className={styles.hint}>
        Takes effect with the next run. Monitors keep running; open incidents are closed at receivers, and those still
        open at the end notify again.
      </p>
    </RecordDrawer>
  );
}
