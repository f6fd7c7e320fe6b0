import { useMemo } from 'react';
import { heatOf } from '../../../charts/heat-data.js';
import { type HeatAction, HeatGrid, type HeatPart } from '../../../charts/heat-grid.js';
import type { Answer } from '../../../data/results/results.js';
import { shortAmount } from '../../../data/format-units.js';
import { MILLISECOND } from '../../../data/time/instants.js';
import { withCondition } from '../../../editor/edits.js';
import { timeCondition } from '../../../data/time/time-condition.js';
import type { ViewProps } from './views.js';

/** Field of a histogram in a query, in APL notation. */
const FIELD = /\bhistogram\(\s*([^,]+?)\s*,/;

/** Whether a result has histograms over time, shown as a heat map. */
export const hasHistograms = (answer: Answer): boolean =>
  answer.table.head.buckets !== undefined &&
  answer.table.columns.some((column) =>
    column.some(
      (cell) =>
        typeof cell === 'object' && cell !== null && cell.kind === 'json' && /^\[\{"(from|to|count)"/.test(cell.text),
    ),
  );

/** Values of a number over time; an area can be compared with the rest or isolated. */
export function HeatView({
  answer,
  access: { state, zone, change },
  outline,
  run,
}: Pick<ViewProps, 'access' | 'outline' | 'run'> & { readonly answer: Answer }) {
  const format = (value: number): string => shortAmount(value).trimEnd();
  const data = useMemo(() => heatOf(answer, format), [answer]);
  const [, field] = FIELD.exec(state.q) ?? [];
  if (data === undefined) return null;
  const conditionOf = ({ columns, rows }: HeatPart): string | undefined => {
    const [from, to] = [data.bounds?.[rows[0]]?.[0], data.bounds?.[rows[1]]?.[1]];
    if (field === undefined || from === undefined || to === undefined) return undefined;
    const step = BigInt(Math.round((data.times[1] ?? data.times[0]!) - data.times[0]!)) * MILLISECOND;
    const at = (column: number): bigint => BigInt(Math.round(data.times[column]!)) * MILLISECOND;
    // The last row includes the maximum.
    const upper = rows[1] === data.rows.length - 1 ? '<=' : '<';
    return `${timeCondition({ start: at(columns[0]), end: at(columns[1]) + step - 1n })} and ${field} >= ${from} and ${field} ${upper} ${to}`;
  };
  const action = (id: string, title: string, key: string, what: (condition: string) => void): HeatAction => ({
    id,
    title,
    key,
    run: (part) => {
      const condition = conditionOf(part);
      if (condition !== undefined) what(condition);
    },
  });
  return (
    <HeatGrid
      data={data}
      label={`Values of ${field ?? 'the histogram'}`}
      zone={zone}
      format={format}
      actions={[
        action('compare', 'Compare this', 'x', (sel) => change({ sel, base: '', v: 'spotlight' })),
        action('only', 'Show only', 'o', (condition) => {
          if (outline !== undefined) run(withCondition(state.q, outline, condition));
        }),
      ]}
    />
  );
}
