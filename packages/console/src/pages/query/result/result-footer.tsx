import { countOf } from '../../../data/format-units.js';
import { textOf } from '../../../data/results/cells.js';
import { parseInstant } from '../../../data/time/instants.js';
import { zonedText } from '../../../data/time/zones.js';
import { Button } from '../../../widgets/inputs/button.js';
import { errorText } from '../../../widgets/states.js';
import styles from '../query.module.css';
import { MAX_ROWS, type Result } from '../use-result.js';

const number = (count: number): string => count.toLocaleString('en');

/** Summary of the result: rows shown, total, time covered and duration. Shows every limit. */
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
          : `${countOf(source.rows, 'row')}${result.old ? ' from the previous query' : ', complete'}`}
      </span>
      {oldest !== undefined && hasMore && <span>loaded back to {zonedText(oldest, zone, 3)}</span>}
      <span>
        {countOf(status.rowsExamined, 'event')} scanned in {Math.round(status.elapsedTime / 1000)} ms
      </span>
      {status.isPartial && <span role="status">partial result</span>}
      {other.map(({ code, msg }) => (
        <span key={code + msg}>{msg}</span>
      ))}
      {full && hasMore && <span>{number(MAX_ROWS)} row limit reached; narrow the query or export</span>}
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
