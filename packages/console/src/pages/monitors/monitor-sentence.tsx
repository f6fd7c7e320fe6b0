import { Select } from '../../widgets/inputs/select.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { operatorTitles } from './describe-monitor.js';
import type { Draft, Problems } from './draft.js';
import styles from './monitors.module.css';

const operatorsFor: Readonly<Record<Draft['type'], readonly Draft['operator'][]>> = {
  Threshold: ['Above', 'AboveOrEqual', 'Below', 'BelowOrEqual'],
  AnomalyDetection: ['Above', 'Below', 'AboveOrBelow'],
  MatchEvent: [],
};

/** Fields of the sentence; the others are among the rare options. */
export const sentenceFields = ['threshold', 'tolerance', 'rangeMinutes', 'intervalMinutes'] as const;
type SentenceField = (typeof sentenceFields)[number];

interface Props {
  readonly draft: Draft;
  readonly problems: Problems;
  readonly onChange: (change: Partial<Draft>) => void;
}

/** The condition as a sentence: *Alert when a value is above 50 over the last 5 minutes.* */
export function MonitorSentence({ draft, problems, onChange }: Props) {
  const { type, operator, columnName, rangeMinutes, intervalMinutes } = draft;
  if (type === 'MatchEvent') return <p className={styles.sentence}>Notify once for every event that matches.</p>;
  const field = (id: SentenceField, label: string) => (
    <TextField
      label={label}
      bare
      value={draft[id]}
      onChange={(next) => onChange({ [id]: next })}
      problem={problems[id]}
      className={styles.slot}
    />
  );
  return (
    <div className={styles.sentence} role="group" aria-label="Condition">
      <span>Alert when {columnName.trim() === '' ? 'a value' : <code>{columnName.trim()}</code>} is</span>
      <Select
        label="Condition"
        bare
        value={operator}
        choices={operatorsFor[type].map((id) => ({ id, title: operatorTitles[id] }))}
        onChange={(next) => onChange({ operator: next })}
      />
      {type === 'Threshold' ? (
        field('threshold', 'Threshold')
      ) : (
        <>
          <span>what is expected by</span>
          {field('tolerance', 'Tolerance')}
          <span>times the usual variation</span>
        </>
      )}
      <span>over the last</span>
      {field('rangeMinutes', 'Lookback window')}
      <span>{minutesWord(rangeMinutes)}, checked every</span>
      {field('intervalMinutes', 'Every')}
      <span>{minutesWord(intervalMinutes)}</span>
    </div>
  );
}

const minutesWord = (text: string): string => (text.trim() === '1' ? 'minute' : 'minutes');
