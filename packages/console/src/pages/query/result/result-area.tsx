import type { Catalog } from '../../../data/catalog.js';
import { isMetricsDataset } from '../../../data/metrics/metrics-dataset.js';
import { ErrorBoundary } from '../../../widgets/error-boundary.js';
import { ErrorState, LoadingNotice } from '../../../widgets/states.js';
import styles from '../query.module.css';
import type { ShownView } from '../query-state.js';
import { EmptyResult } from './empty-result.js';
import { LandOnData, ToMetrics } from './landing.js';
import { ResultView, type ViewProps } from './views.js';

interface Props extends ViewProps {
  readonly view: ShownView;
  /** Dataset of the query. */
  readonly dataset: Catalog['datasets'][number] | undefined;
  /** Whether the editor shows the error of the query. */
  readonly isExplained: boolean;
}

/** Rows in the chosen view, or why there are none. */
export function ResultArea({ view, dataset, isExplained, ...props }: Props) {
  const { access, result, outline, run } = props;
  const { q } = access.state;
  const { answer, error, running } = result;
  const isEmpty = answer !== undefined && result.source.rows === 0 && !running;
  return (
    <div
      className={result.old && error === null ? `${styles.result} ${styles.old}` : styles.result}
      aria-busy={running}
    >
      {q === '' && <LandOnData />}
      {dataset !== undefined && isMetricsDataset(dataset) && <ToMetrics dataset={dataset.name} range={access.state} />}
      {error !== null && isExplained && (
        <p className={styles.failed} role="alert">
          The query did not run. Correct the problem above and run it again.
          {result.old && ' These are the previous results.'}
        </p>
      )}
      {error !== null && !isExplained && (result.old || result.source.rows === 0) && (
        <ErrorState
          title={result.old ? 'Query failed. Showing previous results.' : 'The query failed'}
          error={error}
          isCompact={result.old}
          onRetry={result.again}
        />
      )}
      {q !== '' && answer === undefined && running && <LoadingNotice lines={12} />}
      {isEmpty && <EmptyResult access={access} outline={outline} run={run} />}
      {answer !== undefined && !isEmpty && (
        <ErrorBoundary title="This view failed" subject={`${view} ${q}`}>
          <ResultView view={view} {...props} />
        </ErrorBoundary>
      )}
    </div>
  );
}
