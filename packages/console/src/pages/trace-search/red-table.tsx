import { countText, shortAmount } from '../../data/format-units.js';
import { spanTime } from '../../waterfall/span-tree.js';
import { cx } from '../../widgets/class-names.js';
import { DataTable } from '../../widgets/data-table.js';
import { Sparkline } from '../../widgets/sparkline.js';
import { rateText, shareText } from './rates.js';
import { UntrustedText } from '../../widgets/untrusted-text.js';
import styles from './traces.module.css';
import type { RedMetrics, Trend } from './use-services.js';

/** Error rate from which a service is highlighted. */
const MANY_FAILURES = 0.01;

/** Rate, errors and duration per service or operation. */
export function MeasuredTable({
  label,
  title,
  items,
  trends,
  seconds,
  sort,
  onSort,
  onOpen,
}: {
  readonly label: string;
  /** Title of the first column. */
  readonly title: string;
  readonly items: readonly RedMetrics[];
  readonly trends: ReadonlyMap<string, Trend> | undefined;
  /** Length of the range. */
  readonly seconds: number;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly onOpen: (name: string) => void;
}) {
  const share = ({ failed, requests }: RedMetrics): number => (requests === 0 ? 0 : failed / requests);
  const length = (id: 'p50' | 'p95' | 'p99', aside: boolean) => ({
    id,
    title: id,
    align: 'end' as const,
    ...(aside && { aside: true as const }),
    by: (item: RedMetrics) => item[id] ?? -1,
    cell: (item: RedMetrics) => (item[id] === undefined ? <span className={styles.none}>–</span> : spanTime(item[id])),
  });
  return (
    <DataTable
      label={label}
      items={items}
      idOf={({ name }) => name}
      sort={sort}
      onSort={onSort}
      onOpen={({ name }) => onOpen(name)}
      columns={[
        {
          id: 'name',
          title,
          isName: true,
          by: ({ name }) => name,
          cell: ({ name }) => (
            <span className={styles.subject}>
              <UntrustedText text={name === '' ? '(no name)' : name} />
            </span>
          ),
        },
        {
          id: 'trend',
          title: 'Over time',
          aside: true,
          cell: ({ name }) => {
            const trend = trends?.get(name);
            return <span className={styles.trend}>{trend !== undefined && <Sparkline values={trend.requests} />}</span>;
          },
        },
        {
          id: 'requests',
          title: 'Rate',
          align: 'end',
          by: ({ requests }) => requests,
          cell: ({ requests }) => (
            <span title={`${countText(requests)} requests`}>
              {requests === 0 ? <span className={styles.none}>–</span> : rateText(requests, seconds)}
            </span>
          ),
        },
        {
          id: 'errors',
          title: 'Errors',
          align: 'end',
          by: share,
          cell: (item) => (
            <span className={styles.errors} title={`${countText(item.failed)} failed`}>
              <span className={styles.trendSmall} aria-hidden>
                {item.failed > 0 && trends !== undefined && <Sparkline values={trends.get(item.name)?.failed ?? []} />}
              </span>
              <span
                className={cx(
                  styles.share,
                  item.failed === 0 ? styles.none : share(item) >= MANY_FAILURES ? styles.bad : styles.some,
                )}
              >
                {shareText(share(item))}
              </span>
            </span>
          ),
        },
        length('p50', true),
        length('p95', false),
        length('p99', true),
        {
          id: 'spans',
          title: 'Spans',
          align: 'end',
          aside: true,
          by: ({ spans }) => spans,
          cell: ({ spans }) => <span title={countText(spans)}>{shortAmount(spans)}</span>,
        },
      ]}
    />
  );
}
