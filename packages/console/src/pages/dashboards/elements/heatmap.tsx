import { CannotShow } from '../../../widgets/load-error.js';
import { useMemo } from 'react';
import { heatOf } from '../../../charts/heat-data.js';
import { HeatGrid } from '../../../charts/heat-grid.js';
import { shownName } from '../document/document.js';
import { formatOf } from './element-format.js';
import { type DrawProps, type ElementKind } from './element-kind.js';

function Heatmap({ chart, answer, zone }: DrawProps) {
  const data = useMemo(() => heatOf(answer, formatOf(chart)), [answer, chart]);
  if (data === undefined)
    throw new CannotShow('It needs a histogram over time: summarize histogram(duration_ms, 20) by bin_auto(_time)');
  return <HeatGrid data={data} label={shownName(chart)} zone={zone} format={countText} />;
}

/** Counts have no unit: the element's unit applies to the scale. */
const countText = (count: number): string => Math.round(count).toLocaleString('en');

export const heatmap: ElementKind = {
  title: 'Heatmap',
  about: 'How values are spread, over time.',
  size: [6, 4],
  asks: true,
  rows: 2000,
  cut: 'series',
  begins: ({ group, numbers: [number] }) =>
    number !== undefined
      ? `summarize histogram(${number}, 20) by bin_auto(_time)`
      : `summarize count() by bin_auto(_time)${group === undefined ? '' : `, ${group}`}`,
  starter: { query: { apl: '' } },
  Draw: Heatmap,
};
