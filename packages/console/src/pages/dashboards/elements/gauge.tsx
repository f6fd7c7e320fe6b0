import { CannotShow } from '../../../widgets/load-error.js';
import { useMemo } from 'react';
import { Gauge as Dial } from '../../../charts/gauge.js';
import { shownName, numberMember, textMember } from '../document/document.js';
import { formatOf } from './element-format.js';
import { type DrawProps, type ElementKind } from './element-kind.js';
import { statisticOf } from './statistic-value.js';

/** A number on a scale: the document's, or up to the next round number above the maximum. */
function Gauge({ chart, answer }: DrawProps) {
  const found = useMemo(() => statisticOf(answer), [answer]);
  if (found === undefined || found.value === null)
    throw new CannotShow('Requires a single number: summarize avg(duration_ms)');
  const { value, values } = found;
  const low = numberMember(chart, 'min') ?? Math.min(0, value);
  const high = numberMember(chart, 'max') ?? roundAbove(Math.max(value, ...values.map((each) => each ?? 0)));
  const format = formatOf(chart);
  const invert = /red.*green/i.test(textMember(chart, 'colorScale') ?? '');
  return (
    <Dial
      value={value}
      low={low}
      high={high}
      label={shownName(chart)}
      text={format(value)}
      format={format}
      invert={invert}
    />
  );
}

function roundAbove(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((round) => round >= value) ?? value;
}

export const gauge: ElementKind = {
  title: 'Gauge',
  about: 'One number between a minimum and a maximum.',
  size: [3, 3],
  asks: true,
  rows: 2000,
  cut: 'series',
  begins: () => 'summarize count()',
  starter: { query: { apl: '' } },
  Draw: Gauge,
};
