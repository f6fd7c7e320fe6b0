import { useMemo } from 'react';
import { exactText } from '../../../charts/exact-text.js';
import styles from './elements.module.css';
import { formatOf } from './element-format.js';
import type { DrawProps, ElementKind } from './element-kind.js';
import { GroupName } from './group-name.js';
import { groupsOf, slicesIn } from './groups.js';

/** The largest groups as labeled bars. */
function TopList({ chart, answer }: DrawProps) {
  const format = formatOf(chart);
  const list = useMemo(() => slicesIn(groupsOf(answer)).toSorted((a, b) => b.value - a.value), [answer]);
  const max = Math.max(...list.map(({ value }) => value), 0);
  return (
    <ol className={styles.top} tabIndex={0} aria-label="Sorted descending">
      {list.map(({ name, value }) => (
        <li key={name}>
          <GroupName answer={answer} name={name} className={styles.topName} />
          <span className={styles.topValue} title={exactText(value)}>
            {format(value)}
          </span>
          <span
            className={styles.topBar}
            style={{ width: `${max > 0 ? Math.max(0, (value / max) * 100) : 0}%` }}
            aria-hidden
          />
        </li>
      ))}
    </ol>
  );
}

export const topList: ElementKind = {
  title: 'Top list',
  about: 'The largest groups as bars with numbers.',
  size: [4, 4],
  asks: true,
  rows: 200,
  cut: 'series',
  begins: ({ group }) =>
    group === undefined ? 'summarize count()' : `summarize count() by ${group} | top 10 by count_`,
  starter: { query: { apl: '' } },
  Draw: TopList,
};
