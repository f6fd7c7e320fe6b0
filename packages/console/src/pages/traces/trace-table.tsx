import { agoText, countText } from '../../data/amounts.js';
import { instantText, MILLISECOND } from '../../data/time/instants.js';
import { zonedText } from '../../data/time/zones.js';
import { useNow } from '../../data/use-now.js';
import { coloursOf } from '../../look/value-colours.js';
import { spanTime } from '../../traces/span-tree.js';
import { Chip } from '../../widgets/chip.js';
import { DataTable } from '../../widgets/data-table.js';
import styles from './traces.module.css';
import type { FoundTrace, TraceOrder } from './use-found-traces.js';

/** The column that each order belongs to. */
const sorts: Readonly<Record<TraceOrder, string>> = { newest: '-began', slowest: '-duration' };

/** What fills a bar: nearly the longest, as a single one would make all others look alike. */
const wholeBar = (traces: readonly FoundTrace[]): number =>
  traces.map(({ duration }) => duration).toSorted((a, b) => a - b)[Math.floor(traces.length * 0.95)] || 1;

/**
 * Traces, a line for each: what began it, how long it took beside the others, and what was in it.
 */
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
  const colours = new Map(coloursOf(all).map((colour, index) => [all[index]!, colour]));
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
          title: 'Began',
          // The largest first, in either order: the server has chosen which.
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
              <bdi>{name === '' ? '(no name)' : name}</bdi> <small>{service}</small>
              {!hasRoot && <em className={styles.missing}>its root is not here</em>}
            </span>
          ),
        },
        {
          id: 'duration',
          title: 'Took',
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
                <span key={each} className={styles.swatch} style={{ background: colours.get(each) }} aria-hidden />
              ))}
              <span className={styles.serviceNames}>{services.join(', ')}</span>
            </span>
          ),
        },
      ]}
    />
  );
}
