import { outline as readOutline, valueText } from '@millrace/mpl/editor';
import { useMemo, useState } from 'react';
import type { StateOf } from '../../data/url-params.js';
import { queryClient } from '../../data/query-client.js';
import { type Metric, tagValues, useMetricTags } from '../../data/metrics/metrics-api.js';
import type { Range } from '../../data/time/ranges.js';
import type { EditorFinding } from '../../editor/language-services.js';
import { MetricsEditor } from '../../editor/metrics-editor.js';
import { Findings } from '../../workbench/problems.js';
import { MetricChart } from './metric-chart.js';
import { metricDetail } from './metric-list.js';
import type { metricsParams } from './metrics-params.js';
import styles from './metrics.module.css';
import { QueryForm } from './query-form.js';
import type { MplResult } from './use-mpl-result.js';

/** The query as text and as a form, and its result. */
export function MetricsQuery({
  state,
  dataset,
  datasets,
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
  readonly datasets: readonly string[];
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
  const known = useMemo(
    () => ({ datasets, metrics: metrics.map((each) => ({ name: each.name, detail: metricDetail(each) })), tags }),
    [datasets, metrics, tags],
  );
  const valuesOf = async (tag: string): Promise<readonly string[]> => {
    if (metric === undefined) return [];
    const asked = { dataset, metric: metric.name, tag };
    return queryClient
      .fetchQuery({
        queryKey: ['tag-values', asked, range.from, range.to],
        queryFn: ({ signal }) => tagValues(asked, range, signal),
        retry: false,
      })
      .then((values) => values.map(valueText))
      .catch(() => []);
  };
  return (
    <>
      <div className={styles.ask}>
        <MetricsEditor
          text={text}
          known={known}
          label="Query in MPL"
          valuesOf={valuesOf}
          onChange={onText}
          onRun={() => onRun()}
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
        <Findings findings={findings} text={text} onText={onText} onRun={onRun} />
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
