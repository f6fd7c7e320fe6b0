import { outline as readOutline } from '@millrace/mpl/editor';
import { useMemo, useState } from 'react';
import type { StateOf } from '../../data/url-params.js';
import { type Metric, useMetricTags } from '../../data/metrics/metrics-api.js';
import type { Range } from '../../data/time/ranges.js';
import type { EditorFinding } from '../../editor/language-services.js';
import { MetricsWorkbench } from '../../workbench/metrics-workbench.js';
import { MetricChart } from './metric-chart.js';
import type { metricsParams } from './metrics-params.js';
import styles from './metrics.module.css';
import { QueryForm } from './query-form.js';
import type { MplResult } from './use-mpl-result.js';

/** The query as text and as a form, and its result. */
export function MetricsQuery({
  state,
  dataset,
  metrics,
  text,
  result,
  range,
  zone,
  onText,
  onRun,
  onRange,
  onChange,
}: {
  readonly state: StateOf<typeof metricsParams>;
  readonly dataset: string;
  readonly metrics: readonly Metric[];
  readonly text: string;
  readonly result: MplResult;
  readonly range: Range;
  readonly zone: string;
  readonly onText: (text: string) => void;
  readonly onRun: (text?: string) => void;
  readonly onRange: (range: Range) => void;
  readonly onChange: (change: Partial<StateOf<typeof metricsParams>>) => void;
}) {
  const [findings, setFindings] = useState<readonly EditorFinding[]>([]);
  const parts = useMemo(() => readOutline(text), [text]);
  const metric = metrics.find(({ name }) => name === parts?.metric.text);
  const tags = useMetricTags(parts?.dataset.text ?? dataset, metric?.name, range).data ?? noTags;
  return (
    <>
      <div className={styles.ask}>
        <MetricsWorkbench
          text={text}
          range={range}
          label="Query in MPL"
          dataset={dataset}
          onText={onText}
          onRun={onRun}
          onFindings={setFindings}
        />
        {parts !== undefined ? (
          <QueryForm text={text} parts={parts} metric={metric} tags={tags} range={range} onText={onRun} />
        ) : (
          text.trim() !== '' &&
          findings.length === 0 && (
            <p className={styles.note}>This query combines several ones; change it in the text.</p>
          )
        )}
      </div>
      {state.q !== '' && (
        <MetricChart
          state={state}
          dataset={dataset}
          metric={metric}
          result={result}
          range={range}
          zone={zone}
          onRange={onRange}
          onChange={onChange}
        />
      )}
    </>
  );
}

const noTags: readonly string[] = [];
