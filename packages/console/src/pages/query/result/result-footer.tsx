import { countOf } from '../../../data/amounts.js';
import { textOf } from '../../../data/answers/cells.js';
import { parseInstant } from '../../../data/time/instants.js';
import { zonedText } from '../../../data/time/zones.js';
import { Button } from '../../../widgets/inputs/button.js';
import { errorText } from '../../../widgets/states.js';
import styles from '../query.module.css';
import { MOST_ROWS, type Result } from '../use-result.js';

const number = (count: number): string => count.toLocaleString('en');

/**
 * What the rows are of: how many of how many, how far back, and what it took. No limit is silent.
 */
export function ResultFooter({ result, zone }: { readonly result: Result; readonly zone: string }) {
  const { answer, source, hasMore, full, loadingMore, loadMore, error, again } = result;
  if (answer === undefined) return null;
  const { status } = answer.head;
  const isEvents = status.minCursor !== undefined;
  const oldest = isEvents ? parseInstant(textOf(source.cell(source.rows - 1, '_time'))) : undefined;
  const other = status.messages.filter(({ code }) => code !== 'default_limit_warning');
  return (
    <div className={styles.footer}>
      <span>
        {hasMore
          ? `${number(source.rows)} of ${number(status.rowsMatched)} rows`
          : `${countOf(source.rows, 'row')}${result.old ? ' of the answer before' : ', all there are'}`}
      </span>
      {oldest !== undefined && hasMore && <span>shown to {zonedText(oldest, zone, 3)}</span>}
      <span>
        {countOf(status.rowsExamined, 'event')} examined in {Math.round(status.elapsedTime / 1000)} ms
      </span>
      {status.isPartial && <span role="status">stopped before it was complete</span>}
      {other.map(({ code, msg }) => (
        <span key={code + msg}>{msg}</span>
      ))}
      {full && hasMore && <span>{number(MOST_ROWS)} rows are the most a page holds: narrow the query, or export</span>}
      {loadingMore && <span role="status">loading more</span>}
      {error !== null && hasMore && (
        <>
          <span role="alert">{errorText(error)}</span>
          <Button small onPress={again}>
            Try again
          </Button>
        </>
      )}
      {hasMore && !full && !loadingMore && error === null && (
        <Button small kind="quiet" onPress={loadMore}>
          More
        </Button>
      )}
    </div>
  );
}
