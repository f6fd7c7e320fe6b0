import { Sparkline } from '../../../charts/sparkline.js';
import {
  attainedText,
  budgetLevel,
  percentText,
  rateText,
  type Slo,
  useSloBudget,
  useSlos,
} from '../../../data/alerting/slos.js';
import { cx } from '../../../widgets/class-names.js';
import { WithPermission } from '../../../widgets/no-access.js';
import { EmptyState, ErrorState, LoadingNotice } from '../../../widgets/states.js';
import type { ElementKind, StaticElementProps } from './element-kind.js';
import styles from './elements.module.css';

/** The error budget of an objective. */
function SloElement({ chart }: StaticElementProps) {
  const slos = useSlos();
  if (slos.error !== null)
    return <ErrorState title="The SLO cannot be shown" error={slos.error} onRetry={() => void slos.refetch()} />;
  if (slos.data === undefined)
    return (
      <WithPermission need={{ org: 'monitors', action: 'read' }} subject="SLOs">
        <LoadingNotice lines={3} />
      </WithPermission>
    );
  const slo = slos.data.find(({ id }) => id === chart['sloId']) ?? (chart['sloId'] === '' ? slos.data[0] : undefined);
  if (slo === undefined)
    return (
      <EmptyState title="No SLO">{slos.data.length === 0 ? 'Create one first.' : 'Choose one in Options.'}</EmptyState>
    );
  return <Budget slo={slo} />;
}

const states = { good: 'ok', none: 'ok', low: 'warning', spent: 'error' } as const;

function Budget({ slo }: { readonly slo: Slo }) {
  const { data, error, refetch } = useSloBudget(slo);
  if (error !== null)
    return <ErrorState title="The budget cannot be counted" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice lines={3} />;
  const { total, attained, remaining, burnRates, points } = data;
  const rate = burnRates.find(({ minutes }) => minutes === 60)?.rate ?? 0;
  return (
    <div className={cx(styles.statistic, styles[states[budgetLevel(data)]])}>
      <p className={styles.value}>{total === 0 ? '–' : percentText(remaining)}</p>
      <p className={styles.change}>
        of the error budget left · {slo.name}: {attained === undefined ? 'no events' : `${attainedText(attained)} good`}
        , objective {slo.objective}% over {slo.windowDays} d, burn rate {rateText(rate)}
      </p>
      {points.length > 1 && (
        <div className={styles.spark}>
          <Sparkline values={[1, ...points.map((point) => point.remaining)]} />
        </div>
      )}
    </div>
  );
}

export const slo: ElementKind = {
  title: 'SLO',
  about: 'What is left of the error budget of an SLO.',
  size: [4, 3],
  asks: false,
  starter: { sloId: '' },
  Draw: SloElement,
};
