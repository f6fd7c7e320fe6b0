import { RunStrip } from '../../charts/state-strip.js';
import { useServerHealth } from '../../data/alerts.js';
import styles from './monitors.module.css';
import { StateChip } from '../../widgets/monitor-state.js';

/** The monitor that is always there: the server itself. */
export function ServerHealth({
  notifierNames,
  places,
}: {
  readonly notifierNames: ReadonlyMap<string, string>;
  readonly places: number;
}) {
  const { data } = useServerHealth();
  if (data === undefined) return null;
  const { state, runs, notifierIds } = data;
  return (
    <section className={styles.health} aria-label="The server itself">
      <StateChip state={state} />
      <h2>The server itself</h2>
      <span className={styles.healthRuns}>
        <RunStrip states={runs.map((run) => run.state).toReversed()} places={places} />
      </span>
      <p>
        {state === 'open' ? runs[0]?.error : 'It stores what it is sent, and there is room.'}{' '}
        {notifierIds.length > 0 ? (
          `Tells ${notifierIds.map((id) => notifierNames.get(id) ?? id).join(', ')}.`
        ) : (
          <>
            Tells nobody: the setting <code>MILLRACE_HEALTH_NOTIFIERS</code> names who is told.
          </>
        )}
      </p>
    </section>
  );
}
