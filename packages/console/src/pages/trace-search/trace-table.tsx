import { agoText, countText } from '../../data/format-units.js';
import { instantText, MILLISECOND } from '../../data/time/instants.js';
import { zonedText } from '../../data/time/zones.js';
import { useNow } from '../../data/use-now.js';
import { serviceColors } from '../../theme/value-colors.js';
import { spanTime } from '../../waterfall/span-tree.js';
import { Chip } from '../../widgets/chip.js';
import { DataTable } from '../../widgets/data-table.js';
import { UntrustedText } from '../../widgets/untrusted-text.js';
import styles from './traces.module.css';
import type { FoundTrace, TraceOrder } from './use-trace-search.js';

/** Column of each sort order. */
const sorts: Readonly<Record<TraceOrder, string>> = { newest: '-began', slowest: '-duration' };

/** Value of a full bar: a high percentile, so that an outlier does not shrink the others. */
const wholeBar = (traces: readonly FoundTrace[]): number =>
  traces.map(({ duration }) => duration).toSorted((a, b) => a - b)[Math.floor(traces.length * 0.95)] || 1;

/** One trace per row: root span, relative duration, and content. */
export function TraceTable({
  traces,
  order,
  zone,
  onOrder,
  onOpen,
}: {
  readonly traces: readonly FoundTrace[];
  readonly order: TraceOrder;
  readonly zone: string;
  readonly onOrder: (order: TraceOrder) => void;
  readonly onOpen: (trace: FoundTrace) => void;
}) {
  const now = useNow(5000);
  const whole = wholeBar(traces);
  const all = [...new Set(traces.flatMap(({ services }) => services))].toSorted();
  const colors = new Map(serviceColors(all).map((color, index) => [all[index]!, color]));
  return (
    <DataTable
      label="Traces"
      items={traces}
      idOf={({ id }) => id}
      sort={sorts[order]}
      onSort={(sort) => onOrder(sort.endsWith('duration') ? 'slowest' : 'newest')}
      onOpen={onOpen}
      columns={[
        {
          id: 'began',
          title: 'Start time',
          // Largest first, in either order: the server has selected them.
          by: ({ began }) => began,
          cell: ({ began }) => (
            <time dateTime={instantText(began)} title={zonedText(began, zone, 9)} className={styles.time}>
              {zonedText(began, zone, 3).slice(11)}{' '}
              <small className={styles.ago}>{agoText(Number(began / MILLISECOND), now)}</small>
            </time>
          ),
        },
        {
          id: 'name',
          title: 'Root',
          isName: true,
          cell: ({ name, service, hasRoot }) => (
            <span className={styles.name}>
              <UntrustedText text={name === '' ? '(no name)' : name} />{' '}
              <small>
                <UntrustedText text={service} />
              </small>
              {!hasRoot && <em className={styles.missing}>root span missing</em>}
            </span>
          ),
        },
        {
          id: 'duration',
          title: 'Duration',
          by: ({ duration }) => duration,
          cell: ({ duration, failed }) => (
            <span className={styles.length}>
              <span className={styles.track} aria-hidden>
                <span
                  style={{ width: `${Math.min(100, (100 * duration) / whole)}%` }}
                  className={failed > 0 ? styles.failedBar : undefined}
                />
              </span>
              {spanTime(duration)}
            </span>
          ),
        },
        {
          id: 'errors',
          title: 'Errors',
          align: 'end',
          cell: ({ failed }) =>
            failed === 0 ? <span className={styles.none}>0</span> : <Chip tone="bad">{countText(failed)}</Chip>,
        },
        { id: 'spans', title: 'Spans', align: 'end', aside: true, cell: ({ spans }) => countText(spans) },
        {
          id: 'services',
          title: 'Services',
          aside: true,
          cell: ({ services }) => (
            <span className={styles.services} title={services.join(', ')}>
              {services.map((each) => (
                <span key={each} className={styles.swatch} style={{ background: colors.get(each) }} aria-hidden />
              ))}
              <span className={styles.serviceNames}>{services.join(', ')}</span>
            </span>
          ),
        },
      ]}
    />
  );
}
