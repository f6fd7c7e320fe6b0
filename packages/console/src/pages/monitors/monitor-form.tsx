import { Link } from '@tanstack/react-router';
import type { EditorFinding } from '../../editor/language-services.js';
import { useEffect, useState } from 'react';
import { useNotifiers } from '../../data/alerts.js';
import { useCatalog } from '../../data/catalog.js';
import { useMetricsDatasets } from '../../data/metrics/metrics-api.js';
import type { Range } from '../../data/time/ranges.js';
import { tellLanguage } from '../../editor/language.js';
import { QueryEditor } from '../../editor/query-editor.js';
import { MetricsWorkbench } from '../../workbench/metrics-workbench.js';
import { Button } from '../../widgets/inputs/button.js';
import { cx } from '../../widgets/class-names.js';
import { Checkbox } from '../../widgets/inputs/checkbox.js';
import { SegmentedInput } from '../../widgets/inputs/segmented-input.js';
import { Select } from '../../widgets/inputs/select.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { typeTitles } from './describe-monitor.js';
import { BackTest } from './back-test-view.js';
import { type Draft, type DraftSeverity, emptyDraft, operatorFor, type Problems } from './draft.js';
import { flagFields, numberFields } from './form-fields.js';
import { MonitorPicker } from './monitor-picker.js';
import { MonitorSentence, sentenceFields } from './monitor-sentence.js';
import styles from './monitors.module.css';
import { NotifierBoxes } from './notifier-boxes.js';

const typeChoices = (Object.keys(typeTitles) as readonly Draft['type'][]).map((id) => ({ id, title: typeTitles[id] }));

const aboutTypes: Readonly<Record<Draft['type'], string>> = {
  Threshold: 'Fires when a result value crosses the threshold.',
  AnomalyDetection:
    'Fires when recent values deviate from earlier ones. The query must end with summarize … by bin(_time, …).',
  MatchEvent: 'Notifies once for every matching event, in arrival order.',
};

const severityChoices: readonly { readonly id: DraftSeverity; readonly title: string }[] = [
  { id: 'default', title: 'Default: error, warning for no data' },
  { id: 'info', title: 'Info' },
  { id: 'warning', title: 'Warning' },
  { id: 'error', title: 'Error' },
  { id: 'critical', title: 'Critical' },
];

const languages = [
  { id: 'apl', title: 'APL: events' },
  { id: 'mpl', title: 'MPL: metrics' },
] as const;

/** Range of the names that the editor of MPL suggests. */
const lastDay: Range = { from: 'now-1d', to: 'now' };

const noValues = (): Promise<readonly string[]> => Promise.resolve([]);

/** Form of a monitor, with its back-test. */
export function MonitorForm({
  draft,
  problems,
  onChange,
}: {
  readonly draft: Draft;
  readonly problems: Problems;
  readonly onChange: (change: Partial<Draft>) => void;
}) {
  const catalog = useCatalog();
  const hasMetrics = (useMetricsDatasets() ?? []).length > 0;
  const notifiers = useNotifiers().data ?? [];
  const [findings, setFindings] = useState<readonly EditorFinding[]>([]);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (catalog !== undefined) tellLanguage(catalog);
  }, [catalog]);
  const { type } = draft;
  const wrong = findings.find(({ severity }) => severity === 'error');
  return (
    <div className={styles.columns}>
      <div className={styles.form}>
        <TextField
          label="Name"
          value={draft.name}
          onChange={(name) => onChange({ name })}
          problem={problems['name']}
          autoFocus={draft.name === ''}
          placeholder="Failed requests"
        />
        <div className={cx(styles.line, styles.middle)}>
          <SegmentedInput
            label="Type"
            value={type}
            choices={typeChoices}
            onChange={(next) =>
              onChange({
                type: next,
                operator: operatorFor(next, draft.operator),
                // Metrics have no events to match.
                ...(next === 'MatchEvent' && { mplQuery: undefined }),
              })
            }
          />
          <span className={styles.hint}>{aboutTypes[type]}</span>
        </div>
        <div className={styles.boxes}>
          {type !== 'MatchEvent' && (hasMetrics || draft.mplQuery !== undefined) && (
            <SegmentedInput
              label="Language"
              value={draft.mplQuery === undefined ? 'apl' : 'mpl'}
              choices={languages}
              onChange={(next) => onChange({ mplQuery: next === 'mpl' ? '' : undefined })}
            />
          )}
          <div className={styles.editor}>
            {draft.mplQuery === undefined ? (
              <QueryEditor
                text={draft.aplQuery}
                onChange={(aplQuery) => onChange({ aplQuery })}
                onRun={() => setAsked(asked + 1)}
                onFindings={setFindings}
                valuesOf={noValues}
                label="Query in APL"
                placeholder="logs | where status >= 500 | summarize count() by host"
              />
            ) : (
              <MetricsWorkbench
                text={draft.mplQuery}
                range={lastDay}
                label="Query in MPL"
                onText={(mplQuery) => onChange({ mplQuery })}
                onRun={(mplQuery) => {
                  onChange({ mplQuery });
                  setAsked(asked + 1);
                }}
              />
            )}
          </div>
          {wrong !== undefined && draft.mplQuery === undefined && draft.aplQuery !== '' && (
            <p className={styles.problem} role="status">
              {wrong.message}
            </p>
          )}
          {problems['aplQuery'] !== undefined && (
            <p className={styles.problem} role="alert">
              {problems['aplQuery']}
            </p>
          )}
          {/\bbin_auto\b/.test(draft.aplQuery) && <BinAutoWarning draft={draft} onChange={onChange} />}
        </div>
        <MonitorSentence draft={draft} problems={problems} onChange={onChange} />
        {type !== 'MatchEvent' && <RareConditions draft={draft} problems={problems} onChange={onChange} />}
        <BackTest draft={draft} asked={asked} onAsk={() => setAsked(asked + 1)} onChange={onChange} />
      </div>
      <aside className={styles.side} aria-label="Notifications">
        <h2 className={styles.heading}>Notifiers</h2>
        <div className={styles.boxes} role="group" aria-label="Notifiers">
          <NotifierBoxes
            notifiers={notifiers}
            ids={draft.notifierIds}
            onChange={(notifierIds) => onChange({ notifierIds })}
          />
          <Link to={'/notifiers' as string}>Manage notifiers</Link>
        </div>
        <h2 className={styles.heading}>Options</h2>
        <div className={styles.boxes}>
          <Select
            label="Severity"
            value={draft.severity}
            choices={severityChoices}
            onChange={(severity) => onChange({ severity })}
          />
          {draft.disabledUntil !== undefined && (
            <Checkbox checked onChange={() => onChange({ disabledUntil: undefined })}>
              Muted until {draft.disabledUntil}
            </Checkbox>
          )}
        </div>
        <TextField
          label="Description"
          value={draft.description}
          onChange={(description) => onChange({ description })}
          lines={3}
          description="Included in notifications, for example runbook steps"
        />
        <RareOptions draft={draft} problems={problems} onChange={onChange} />
      </aside>
    </div>
  );
}

/** Options that most monitors do not need. Open if one is set or wrong. */
function RareOptions({
  draft,
  problems,
  onChange,
}: {
  readonly draft: Draft;
  readonly problems: Problems;
  readonly onChange: (change: Partial<Draft>) => void;
}) {
  const flags = flagFields.filter(({ types }) => types.includes(draft.type));
  const set = [
    ...flags.map(({ id }) => draft[id]),
    draft.disabled,
    draft.inhibitedBy.length > 0,
    draft.notifyOnlyWhile.length > 0,
    draft.labels.trim() !== '',
  ].filter(Boolean).length;
  const [first] = useState(set > 0);
  return (
    <details className={styles.rare} open={first || problems['labels'] !== undefined}>
      <summary>More options{set > 0 && ` (${set} set)`}: groups, no data, dependencies, labels</summary>
      <div className={styles.boxes}>
        {flags.map(({ id, title }) => (
          <Checkbox key={id} checked={draft[id]} onChange={(checked) => onChange({ [id]: checked })}>
            {title}
          </Checkbox>
        ))}
        <Checkbox checked={draft.disabled} onChange={(disabled) => onChange({ disabled })}>
          Disabled
        </Checkbox>
      </div>
      <div className={styles.options}>
        <MonitorPicker
          label="Do not notify while one of these fires"
          ids={draft.inhibitedBy}
          onChange={(inhibitedBy) => onChange({ inhibitedBy })}
        />
        <MonitorPicker
          label="Notify only while all of these fire"
          ids={draft.notifyOnlyWhile}
          onChange={(notifyOnlyWhile) => onChange({ notifyOnlyWhile })}
        />
        <TextField
          label="Labels"
          value={draft.labels}
          onChange={(labels) => onChange({ labels })}
          lines={2}
          problem={problems['labels']}
          description="One per line, such as team=payments"
          mono
        />
      </div>
    </details>
  );
}

/** Options of the condition that most monitors do not need. Open if one is set or wrong. */
function RareConditions({
  draft,
  problems,
  onChange,
}: {
  readonly draft: Draft;
  readonly problems: Problems;
  readonly onChange: (change: Partial<Draft>) => void;
}) {
  const fields = numberFields.filter(
    ({ id, types }) => types.includes(draft.type) && !sentenceFields.some((each) => each === id),
  );
  const set = fields.filter(({ id }) => draft[id] !== emptyDraft[id]).length + (draft.columnName.trim() === '' ? 0 : 1);
  const isWrong = fields.some(({ id }) => problems[id] !== undefined);
  const [first] = useState(set > 0);
  return (
    <details className={styles.rare} open={first || isWrong}>
      <summary>
        More conditions{set > 0 && ` (${set} set)`}: column, delay{draft.type === 'AnomalyDetection' && ', season'},
        number of runs
      </summary>
      <div className={styles.numbers}>
        {fields.map(({ id, title, hint }) => (
          <TextField
            key={id}
            label={title}
            value={draft[id]}
            onChange={(next) => onChange({ [id]: next })}
            description={hint}
            problem={problems[id]}
          />
        ))}
        <TextField
          label="Column"
          value={draft.columnName}
          onChange={(columnName) => onChange({ columnName })}
          description="Column to evaluate (default: all numeric columns)"
        />
      </div>
    </details>
  );
}

/** The automatic width depends on the range, and monitors have short ones. */
const BinAutoWarning = ({
  draft,
  onChange,
}: {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}) => (
  <div className={styles.warning} role="status">
    bin_auto changes the bin width with the time range, which changes what the threshold means. Set a fixed width.
    <Button
      small
      onPress={() =>
        onChange({ aplQuery: draft.aplQuery.replaceAll(/\bbin_auto\s*\(\s*_time\s*\)/g, 'bin(_time, 1m)') })
      }
    >
      Use bin(_time, 1m)
    </Button>
  </div>
);
