import { CannotShow } from '../../../widgets/load-error.js';
import { useMemo } from 'react';
import { ScatterPlot } from '../../../charts/scatter-plot.js';
import { shownName } from '../document/document.js';
import { formatOf } from './element-format.js';
import { type DrawProps, type ElementKind } from './element-kind.js';
import { groupsOf } from './groups.js';

function Scatter({ chart, answer }: DrawProps) {
  const data = useMemo(() => {
    const { groups, series } = groupsOf(answer);
    const [x, y] = series;
    if (x === undefined || y === undefined)
      throw new CannotShow('It needs two numbers by group: summarize avg(a), avg(b) by c');
    const points = groups.flatMap((name, index) => {
      const [across, up] = [x.values[index], y.values[index]];
      return typeof across !== 'number' || typeof up !== 'number' ? [] : [{ name, x: across, y: up }];
    });
    return { points, x: x.name, y: y.name };
  }, [answer]);
  return <ScatterPlot {...data} label={shownName(chart)} format={formatOf(chart)} />;
}

export const scatter: ElementKind = {
  title: 'Scatter',
  about: 'Two numbers of each group against each other.',
  size: [6, 4],
  asks: true,
  rows: 1000,
  cut: 'series',
  begins: ({ group = '_time', numbers: [x, y] }) =>
    `summarize ${x === undefined ? 'count()' : `avg(${x})`}, ${y === undefined ? 'count()' : `avg(${y})`} by ${group}`,
  starter: { query: { apl: '' } },
  Draw: Scatter,
};
