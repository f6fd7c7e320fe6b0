import { Link } from '@tanstack/react-router';
import { Sparkline } from '../../../charts/sparkline.js';
import { shownState, useMonitors, useMonitorStatus } from '../../../data/alerts.js';
import { wordsOfMinutes } from '../../../data/format-units.js';
import {
  attainedText,
  budgetLevel,
  percentText,
  rateText,
  type Slo,
  useSloBudget,
} from '../../../data/alerting/slos.js';
import { StateChip } from '../../../widgets/monitor-state.js';
import { ErrorState, LoadingNotice } from '../../../widgets/states.js';
import monitorStyles from '../monitors.module.css';
import styles from './slos.module.css';

/** The budget of an objective: the rest, how fast it burns, and its alerts. */
export function SloSummary({ slo }: { readonly slo: Slo }) {
  const { data, error, refetch } = useSloBudget(slo);
  const monitors = (useMonitors().data ?? []).filter(({ sloId }) => sloId === slo.id);
  const states = new Map((useMonitorStatus().data ?? []).map((each) => [each.id, shownState(each)]));
  if (error !== null)
    return <ErrorState title="Could not count the budget" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice lines={3} />;
  const { good, total, attained, remaining, burnRates, points } = data;
  return (
    <section className={styles.summary} aria-label="Error budget">
      <dl className={styles.numbers}>
        <div data-level={budgetLevel(data)}>
          <dt>Budget left</dt>
          <dd>{total === 0 ? '–' : percentText(remaining)}</dd>
        </div>
        <div>
          <dt>Good</dt>
          <dd>{attained === undefined ? '–' : attainedText(attained)}</dd>
        </div>
        <div>
          <dt>Bad events</dt>
          <dd>{(total - good).toLocaleString('en')}</dd>
        </div>
        {burnRates
          .filter(({ minutes }) => minutes === 60 || minutes === 1440)
          .map(({ minutes, rate }) => (
            <div key={minutes}>
              <dt>Burn rate, {wordsOfMinutes(minutes)}</dt>
              <dd>{rateText(rate)}</dd>
            </div>
          ))}
      </dl>
      {points.length > 1 && (
        <figure className={styles.chart}>
          <Sparkline values={[1, ...points.map((point) => point.remaining)]} />
          <figcaption className={monitorStyles.hint}>Budget left over {slo.windowDays} days</figcaption>
        </figure>
      )}
      <ul className={styles.alerts} aria-label="Alerts">
        {monitors.map((monitor) => (
          <li key={monitor.id}>
            <StateChip state={states.get(monitor.id) ?? 'pending'} monitor={monitor} runs={[]} />
            <Link to={`/monitors/${monitor.id}` as string}>
              {monitor.threshold}× over {wordsOfMinutes(monitor.rangeMinutes)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
