import { CannotShow } from '../../../widgets/load-error.js';
import { useMemo } from 'react';
import { Donut, slicesOf } from '../../../charts/donut.js';
import { shownName } from '../document/document.js';
import { formatOf } from './element-format.js';
import { type DrawProps, type ElementKind } from './element-kind.js';
import { GroupName } from './group-name.js';
import { groupsOf, slicesIn } from './groups.js';

function Pie({ chart, answer }: DrawProps) {
  const slices = useMemo(() => slicesOf(slicesIn(groupsOf(answer))), [answer]);
  if (slices.length === 0) throw new CannotShow('All values are zero');
  return (
    <Donut
      slices={slices}
      label={shownName(chart)}
      format={formatOf(chart)}
      renderName={(name) => <GroupName answer={answer} name={name} />}
    />
  );
}

export const pie: ElementKind = {
  title: 'Pie',
  about: 'Shares of a whole, by group.',
  size: [4, 4],
  asks: true,
  rows: 1000,
  cut: 'series',
  begins: ({ group }) =>
    group === undefined ? 'summarize count()' : `summarize count() by ${group} | top 10 by count_`,
  starter: { query: { apl: '' } },
  Draw: Pie,
};
