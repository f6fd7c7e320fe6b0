import { useNavigate } from '@tanstack/react-router';
import { metricsSnippets } from '../../data/metrics/metrics-snippets.js';
import { type Range, rangeTitle } from '../../data/time/ranges.js';
import { SnippetTabs } from '../../workbench/snippet-tabs.js';
import { Button } from '../../widgets/inputs/button.js';
import { EmptyState } from '../../widgets/states.js';
import styles from './metrics.module.css';

/** Shown if no dataset, or not this one, has metrics. */
export function NoDataset({
  dataset,
  datasets,
  onDataset,
}: {
  readonly dataset: string | undefined;
  readonly datasets: readonly string[];
  readonly onDataset: (dataset: string) => void;
}) {
  const navigate = useNavigate();
  return (
    <div className={styles.empty}>
      <EmptyState
        title={dataset === undefined ? 'No dataset of metrics yet' : `${dataset} is not a dataset of metrics`}
        actions={
          datasets.length > 0 ? (
            datasets.map((name) => (
              <Button key={name} onPress={() => onDataset(name)}>
                Open {name}
              </Button>
            ))
          ) : (
            <Button
              kind="primary"
              needs={{ org: 'datasets', action: 'create' }}
              onPress={() => void navigate({ to: '/datasets' as string, search: { new: 'dataset' } as never })}
            >
              Create a dataset
            </Button>
          )
        }
      >
        Metrics need a dataset of the kind <em>OpenTelemetry metrics</em>. Send them with OTLP or Prometheus remote
        write.
      </EmptyState>
    </div>
  );
}

/** Shown if a dataset has no metrics in the range: how to send them. */
export function NoMetrics({
  dataset,
  range,
  zone,
  onRange,
}: {
  readonly dataset: string;
  readonly range: Range;
  readonly zone: string;
  readonly onRange: (range: Range) => void;
}) {
  return (
    <div className={styles.empty}>
      <EmptyState
        title="No metrics in this range"
        actions={<Button onPress={() => onRange({ from: 'now-7d', to: 'now' })}>Last 7 days</Button>}
      >
        {rangeTitle(range, zone)} in {dataset}. To send metrics:
      </EmptyState>
      <div className={styles.how}>
        <SnippetTabs dataset={dataset} snippets={metricsSnippets} what="metrics" />
      </div>
    </div>
  );
}
