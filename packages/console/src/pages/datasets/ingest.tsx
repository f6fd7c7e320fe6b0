import { snippets } from '../../data/ingest-snippets.js';
import { isMetricsDataset } from '../../data/metrics/metrics-dataset.js';
import { metricsSnippets } from '../../data/metrics/metrics-snippets.js';
import { SnippetTabs } from '../../workbench/snippet-tabs.js';
import { EmptyState } from '../../widgets/states.js';
import type { KnownDataset } from './dataset.js';
import styles from './datasets.module.css';
import { TryBox } from './dry-run-box.js';

/** How to send to the dataset; events have a text box to try it. */
export function Ingest({ dataset }: { readonly dataset: KnownDataset }) {
  const { name, canWrite } = dataset;
  if (!canWrite) return <EmptyState title={`${name} is read-only`}>The server writes the audit log itself.</EmptyState>;
  const hasMetrics = isMetricsDataset(dataset);
  return (
    <div className={styles.halves}>
      <section className={styles.half} aria-labelledby="from-a-program">
        <h2 id="from-a-program">From an application</h2>
        <SnippetTabs
          dataset={name}
          snippets={hasMetrics ? metricsSnippets : snippets}
          what={hasMetrics ? 'metrics' : 'events'}
        />
      </section>
      {!hasMetrics && (
        <section className={styles.half} aria-labelledby="try-it">
          <h2 id="try-it">Try it</h2>
          <TryBox dataset={name} />
        </section>
      )}
    </div>
  );
}
