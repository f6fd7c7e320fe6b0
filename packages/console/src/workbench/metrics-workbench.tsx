import { outline, valueText } from '@millrace/mpl/editor';
import { useMemo, useState } from 'react';
import { metricDetail } from '../data/metrics/metric-detail.js';
import { tagValues, useMetrics, useMetricsDatasets, useMetricTags } from '../data/metrics/metrics-api.js';
import { queryClient } from '../data/query-client.js';
import type { Range } from '../data/time/ranges.js';
import type { EditorFinding } from '../editor/language-services.js';
import { MetricsEditor } from '../editor/metrics-editor.js';
import { Findings } from './problems.js';

/** Query editor of MPL: completes names and values, and lists problems with fixes. */
export function MetricsWorkbench({
  text,
  range,
  label,
  dataset,
  onText,
  onRun,
  onFindings,
}: {
  readonly text: string;
  /** Range of the suggested names and values. */
  readonly range: Range;
  readonly label: string;
  /** The dataset whose metrics are suggested while the text has mistakes. */
  readonly dataset?: string | undefined;
  readonly onText: (text: string) => void;
  readonly onRun: (text: string) => void;
  readonly onFindings?: (findings: readonly EditorFinding[]) => void;
}) {
  const [findings, setFindings] = useState<readonly EditorFinding[]>([]);
  const datasets = useMetricsDatasets() ?? none;
  const parts = useMemo(() => outline(text), [text]);
  // While a text is typed, its names stay known.
  const [latest, setLatest] = useState(parts);
  if (parts !== undefined && (parts.dataset.text !== latest?.dataset.text || parts.metric.text !== latest.metric.text))
    setLatest(parts);
  const named = latest?.dataset.text ?? dataset ?? datasets[0];
  const isKnown = named !== undefined && datasets.includes(named);
  const metrics = useMetrics(isKnown ? named : undefined, range).data;
  const metric = metrics?.find(({ name }) => name === latest?.metric.text);
  const tags = useMetricTags(isKnown ? named : undefined, metric?.name, range).data;
  const known = useMemo(
    () => ({
      datasets,
      metrics: (metrics ?? []).map((each) => ({ name: each.name, detail: metricDetail(each) })),
      tags: tags ?? none,
    }),
    [datasets, metrics, tags],
  );
  const valuesOf = async (tag: string): Promise<readonly string[]> => {
    if (metric === undefined || named === undefined) return [];
    const asked = { dataset: named, metric: metric.name, tag };
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
      <MetricsEditor
        text={text}
        known={known}
        label={label}
        valuesOf={valuesOf}
        onChange={onText}
        onRun={() => onRun(text)}
        onFindings={(found) => {
          setFindings(found);
          onFindings?.(found);
        }}
      />
      <Findings findings={findings} text={text} onText={onText} onRun={onRun} />
    </>
  );
}

const none: readonly string[] = [];
