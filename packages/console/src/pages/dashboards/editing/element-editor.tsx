import { useEffect, useMemo, useRef, useState } from 'react';
import { useMetricsDatasets } from '../../../data/metrics/metrics-api.js';
import { Cost } from '../../../workbench/cost.js';
import { MetricsWorkbench } from '../../../workbench/metrics-workbench.js';
import { Workbench } from '../../../workbench/workbench.js';
import { Button } from '../../../widgets/inputs/button.js';
import { SegmentedInput } from '../../../widgets/inputs/segmented-input.js';
import { Select } from '../../../widgets/inputs/select.js';
import { Tabs } from '../../../widgets/tabs.js';
import { cx } from '../../../widgets/class-names.js';
import styles from '../dashboard.module.css';
import { type Chart, membersOf, ownRange, queryOf } from '../document/document.js';
import { withChart, withQuery } from '../document/edits.js';
import { combinedQuery, type Formula, formulaOf, withFormula } from '../document/formula.js';
import { withMember } from '../document/with-member.js';
import { optionsOfKind } from './element-options.js';
import { OptionField } from './option-field.js';
import { elementTable, kindOf } from '../elements/element-table.js';
import { ColumnFields } from './column-fields.js';
import { FormulaQuery } from './formula-query.js';
import { FilterFields } from './filter-fields.js';
import { MonitorFields } from './monitor-fields.js';
import { RepeatField } from './repeat-field.js';
import { SloField } from './slo-field.js';
import { JsonField } from './json-field.js';
import { type DashboardState, allQueriesOf, queriesOf } from '../element-queries.js';
import type { Draft } from './use-draft.js';
import { RepeatedPart } from '../repeated-element.js';
import { useQueryState, useRunner } from '../use-runner.js';

type Language = 'apl' | 'mpl';
const languages = [
  { id: 'apl', title: 'APL: events' },
  { id: 'mpl', title: 'MPL: metrics' },
] as const;

const ignore = (): void => {};
const none: readonly { readonly name: string }[] = [];
/** Elements with selectable columns. */
const showsColumns = new Set(['Table', 'LogStream']);

/** The share of a query in itself, to begin with. */
const doubleFormula = (apl: string): Formula => ({ text: 'A / B * 100', a: apl, b: apl });

/** Editor of an element: query, options, JSON and preview. */
export function ElementEditor({
  chart,
  draft,
  asking,
  zone,
  onDone,
}: {
  readonly chart: Chart;
  readonly draft: Draft;
  readonly asking: DashboardState;
  readonly zone: string;
  readonly onDone: () => void;
}) {
  const kind = kindOf(chart.type);
  const asks = kind?.asks === true;
  const [tab, setTab] = useState(asks ? 'query' : 'options');
  const found = queryOf(chart);
  const present = { apl: 'apl' in found ? found.apl : '', mpl: 'mpl' in found ? found.mpl : '' };
  const [language, setLanguage] = useState<Language>('mpl' in found ? 'mpl' : 'apl');
  const [typed, setTyped] = useState(present);
  const text = typed[language];
  const setText = (next: string): void => setTyped((before) => ({ ...before, [language]: next }));
  const hasMetrics = (useMetricsDatasets() ?? []).length > 0;
  const runner = useRunner();
  useEffect(() => runner.want(allQueriesOf(chart, kind, asking)), [runner, chart, kind, asking]);
  const asked = useQueryState(
    runner,
    useMemo(() => queriesOf(chart, kind, asking).main, [chart, kind, asking]),
  );
  const fields = asked?.answer?.table.head.fields ?? none;
  const edit = (change: (chart: Chart) => Chart): void =>
    draft.change((before) => {
      const present = before.charts.find(({ id }) => id === chart.id);
      return present === undefined ? before : withChart(before, chart.id, change(present));
    });
  const set = (path: readonly string[], value: unknown): void =>
    edit((before) => withMember(before, path, value) as Chart);
  const range = ownRange(chart) ?? asking.range;
  const run = (next: string): void => {
    setText(next);
    if (next === present[language]) runner.refresh('wanted');
    else edit((before) => withQuery(before, next, language));
  };
  const formula = useMemo(() => formulaOf(chart), [chart]);
  const combine = (next: Formula | undefined): void => {
    if (next === undefined) setText(formula?.a ?? text);
    edit((before) => withFormula(before, next));
  };
  // Closing keeps the typed text; undo reverts it.
  const keepTyped = useRef(() => {});
  keepTyped.current = () =>
    asks &&
    formula === undefined &&
    text !== present[language] &&
    text !== '' &&
    edit((before) => withQuery(before, text, language));
  useEffect(() => () => keepTyped.current(), []);
  const options = useMemo(() => optionsOfKind(chart.type, asks), [chart.type, asks]);
  return (
    <div className={styles.form}>
      <div className={cx(styles.preview, !asks && styles.standing)}>
        <RepeatedPart chart={chart} asking={asking} runner={runner} zone={zone} onRange={ignore} />
      </div>
      <Tabs
        label="Editor tabs"
        open={tab}
        onOpen={setTab}
        tabs={[
          ...(asks
            ? [
                {
                  id: 'query',
                  title: 'Query',
                  content:
                    formula !== undefined ? (
                      <FormulaQuery formula={formula} range={range} onChange={combine} />
                    ) : (
                      <div className={styles.form}>
                        {(hasMetrics || language === 'mpl') && (
                          <SegmentedInput
                            label="Language"
                            value={language}
                            choices={languages}
                            onChange={setLanguage}
                          />
                        )}
                        {language === 'mpl' ? (
                          <MetricsWorkbench text={text} range={range} label="Query" onText={setText} onRun={run} />
                        ) : (
                          <Workbench text={text} range={range} label="Query" onText={setText} onRun={run} />
                        )}
                        <div className={styles.row}>
                          <Button kind="primary" onPress={() => run(text)} disabled={text.trim() === ''}>
                            {text === present[language] ? 'Run again' : 'Apply and run'}
                          </Button>
                          {language === 'apl' && (
                            <>
                              <Button
                                kind="quiet"
                                unavailable={
                                  'problem' in combinedQuery(doubleFormula(text))
                                    ? 'The query must end with one aggregate'
                                    : undefined
                                }
                                onPress={() => combine(doubleFormula(text))}
                              >
                                Combine with a second query
                              </Button>
                              <Cost text={text} range={range} />
                            </>
                          )}
                        </div>
                      </div>
                    ),
                },
              ]
            : []),
          {
            id: 'options',
            title: 'Options',
            content: (
              <div className={styles.form}>
                <div className={styles.options}>
                  {asks && (
                    <Select
                      label="Kind"
                      value={chart.type}
                      onChange={(type) => edit((before) => ({ ...before, type }))}
                      choices={Object.entries(elementTable)
                        .filter(([, each]) => each.asks)
                        .map(([id, { title }]) => ({ id, title }))}
                    />
                  )}
                  {options.map((option) => (
                    <OptionField key={option.path.join('.')} option={option} chart={chart} onChange={set} />
                  ))}
                </div>
                {showsColumns.has(chart.type) && (
                  <ColumnFields chart={chart} fields={fields.map(({ name }) => name)} onEdit={edit} />
                )}
                {chart.type === 'SmartFilter' && (
                  <FilterFields chart={chart} charts={draft.document.charts} onChange={set} />
                )}
                {asks && <RepeatField chart={chart} charts={draft.document.charts} onChange={set} />}
                {chart.type === 'MonitorList' && <MonitorFields chart={chart} onChange={set} />}
                {chart.type === 'SLO' && <SloField chart={chart} onChange={set} />}
              </div>
            ),
          },
          {
            id: 'json',
            title: 'JSON',
            content: (
              <JsonField
                key={JSON.stringify(chart)}
                label="Element"
                value={chart}
                lines={18}
                problemOf={(value) =>
                  typeof membersOf(value)['type'] === 'string' ? undefined : 'An element needs a type.'
                }
                onChange={(value) => {
                  edit(() => value as Chart);
                  const changed = queryOf(value as Chart);
                  setTyped({ apl: 'apl' in changed ? changed.apl : '', mpl: 'mpl' in changed ? changed.mpl : '' });
                  if (!('problem' in changed)) setLanguage('mpl' in changed ? 'mpl' : 'apl');
                }}
              />
            ),
          },
        ]}
      />
      <div className={styles.row}>
        <Button onPress={onDone}>Done</Button>
      </div>
    </div>
  );
}
