import { RunStrip } from '../../charts/state-strip.js';
import { useServerHealth } from '../../data/alerts.js';
import styles from './monitors.module.css';
import { StateChip } from '../../widgets/monitor-state.js';

/** The built-in monitor of the server itself. */
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
    <section className={styles.health} aria-label="Server health">
      <StateChip state={state} />
      <h2>Server health</h2>
      <span className={styles.healthRuns}>
        <RunStrip states={runs.map((run) => run.state).toReversed()} places={places} />
      </span>
      <p>
        {state === 'open' ? runs[0]?.error : 'Ingest is working and disk space is sufficient.'}{' '}
        {notifierIds.length > 0 ? (
          `Notifies ${notifierIds.map((id) => notifierNames.get(id) ?? id).join(', ')}.`
        ) : (
          <>
            No notifiers. Set <code>MILLRACE_HEALTH_NOTIFIERS</code> to receive alerts.
          </>
        )}
      </p>
    </section>
  );
}
