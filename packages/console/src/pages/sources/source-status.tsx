import { countText } from '../../data/format-units.js';
import { DescriptionList } from '../../widgets/description-list.js';
import { RelativeTime } from '../../widgets/relative-time.js';
import type { Source } from './source-queries.js';
import { SourceState } from './source-state.js';
import styles from './sources.module.css';

/** What a source has done so far, and what was rejected. */
export function SourceStatus({ source: { status } }: { readonly source: Source }) {
  const { events, failedEvents, rejectedMessages, lag, position, lastBatchAt, problem, rejects } = status;
  return (
    <>
      {problem !== undefined && <p className={styles.problem}>{problem}</p>}
      <DescriptionList
        facts={[
          ['State', <SourceState key="state" status={status} />],
          ['Events', countText(events)],
          ['Rejected events', countText(failedEvents)],
          ['Rejected messages or objects', countText(rejectedMessages)],
          ['Lag', lag === undefined ? 'unknown' : countText(lag)],
          ['Position', position ?? 'none'],
          ['Last batch', lastBatchAt === undefined ? 'none' : <RelativeTime key="last" at={lastBatchAt} />],
        ]}
      />
      {rejects.length > 0 && (
        <details>
          <summary>Last rejected</summary>
          <ul className={styles.rejects}>
            {rejects.map(({ time, position: at, problem: why }, index) => (
              <li key={index}>
                <RelativeTime at={time} /> <code>{at}</code>: {why}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
