import { useState } from 'react';
import type { Monitor } from '../../../data/alerts.js';
import { countOf } from '../../../data/format-units.js';
import { Chip } from '../../../widgets/chip.js';
import { Button } from '../../../widgets/inputs/button.js';
import { Checkbox } from '../../../widgets/inputs/checkbox.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { labelsIn, labelsText, toggledLine } from '../label-lines.js';
import styles from '../monitors.module.css';
import { silencedMonitors } from './describe-silence.js';
import type { SilenceDraft, SilenceProblems } from './silence-draft.js';

interface Props {
  readonly draft: SilenceDraft;
  readonly monitors: readonly Monitor[];
  readonly problems: SilenceProblems;
  readonly onChange: (change: Partial<SilenceDraft>) => void;
}

/** Monitors listed at once. */
const MAX_FOUND = 8;
/** Labels offered, and names of selected monitors shown. */
const MAX_SHOWN = 12;

/** What a silence is about: monitors, labels and groups, all of which have to match. */
export function SilenceTarget({ draft, monitors, problems, onChange }: Props) {
  const { labels, groups } = draft;
  const known = [...new Set(monitors.flatMap((monitor) => labelsText(monitor.labels).split('\n')))].filter(
    (line) => line !== '',
  );
  return (
    <>
      <MonitorChoice draft={draft} monitors={monitors} problems={problems} onChange={onChange} />
      <div className={styles.pair}>
        <div className={styles.boxes}>
          <TextField
            label="Labels"
            value={labels}
            onChange={(next) => onChange({ labels: next })}
            lines={2}
            mono
            problem={problems.labels}
            description="Monitors with all these labels, such as team=payments"
          />
          {known.length > 0 && (
            <div className={styles.groups} role="group" aria-label="Labels of monitors">
              {known.slice(0, MAX_SHOWN).map((line) => (
                <Button
                  key={line}
                  small
                  kind="quiet"
                  pressed={labels.split('\n').includes(line)}
                  onPress={() => onChange({ labels: toggledLine(labels, line) })}
                >
                  {line}
                </Button>
              ))}
            </div>
          )}
        </div>
        <TextField
          label="Groups"
          value={groups}
          onChange={(next) => onChange({ groups: next })}
          lines={2}
          mono
          problem={problems.groups}
          description="Only groups with these values, such as host=db-1"
        />
      </div>
      <AffectedGroups draft={draft} monitors={monitors} />
    </>
  );
}

function MonitorChoice({ draft: { monitorIds }, monitors, problems, onChange }: Props) {
  const [text, setText] = useState('');
  const found = monitors.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const nameOf = (id: string): string => monitors.find((each) => each.id === id)?.name ?? id;
  return (
    <div className={styles.boxes}>
      <TextField
        label="Monitors"
        value={text}
        onChange={setText}
        type="search"
        placeholder="Find by name"
        problem={problems.monitorIds}
      />
      {monitorIds.length > 0 && (
        <div className={styles.groups}>
          {monitorIds.map((id) => (
            <Chip
              key={id}
              removeLabel={`Remove ${nameOf(id)}`}
              onRemove={() => onChange({ monitorIds: monitorIds.filter((each) => each !== id) })}
            >
              {nameOf(id)}
            </Chip>
          ))}
        </div>
      )}
      {text.trim() !== '' && (
        <div className={styles.boxes} role="group" aria-label="Monitors found">
          {found.slice(0, MAX_FOUND).map(({ id, name }) => (
            <Checkbox
              key={id}
              checked={monitorIds.includes(id)}
              onChange={(checked) =>
                onChange({ monitorIds: checked ? [...monitorIds, id] : monitorIds.filter((each) => each !== id) })
              }
            >
              {name}
            </Checkbox>
          ))}
          {found.length === 0 && <span className={styles.hint}>No matches</span>}
          {found.length > MAX_FOUND && <span className={styles.hint}>and {found.length - MAX_FOUND} more</span>}
        </div>
      )}
    </div>
  );
}

/** What the draft silences now. */
function AffectedGroups({ draft, monitors }: Pick<Props, 'draft' | 'monitors'>) {
  const { monitorIds } = draft;
  const labels = labelsIn(draft.labels);
  const groups = Object.entries(labelsIn(draft.groups));
  if (monitorIds.length === 0 && Object.keys(labels).length === 0 && groups.length === 0) return null;
  const found = silencedMonitors({ monitorIds, labels }, monitors);
  const names = found.slice(0, MAX_SHOWN).map(({ name }) => name);
  const which = groups.map(([name, value]) => `${name}=${value}`).join(', ');
  return (
    <p className={found.length === 0 ? styles.warning : styles.hint} role="status">
      {found.length === 0
        ? 'No monitor matches now'
        : `Silences ${which === '' ? '' : `groups with ${which} of `}${countOf(found.length, 'monitor')}: ${names.join(', ')}${
            found.length > names.length ? ` and ${found.length - names.length} more` : ''
          }`}
    </p>
  );
}
