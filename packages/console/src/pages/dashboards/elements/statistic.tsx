import { CannotShow } from '../../../widgets/load-error.js';
import { useMemo } from 'react';
import { exactText } from '../../../charts/exact-text.js';
import { Sparkline } from '../../../charts/sparkline.js';
import { cx } from '../../../widgets/class-names.js';
import { flagMember } from '../document/document.js';
import styles from './elements.module.css';
import { formatOf } from './element-format.js';
import { type DrawProps, type ElementKind } from './element-kind.js';
import { statisticLook } from './statistic-style.js';
import { statisticOf } from './statistic-value.js';

const words = { ok: '', warning: 'Warning', error: 'Critical' } as const;

function Statistic({ chart, answer, earlier }: DrawProps) {
  const found = useMemo(() => statisticOf(answer), [answer]);
  const before = useMemo(() => (earlier === undefined ? undefined : statisticOf(earlier.answer)), [earlier]);
  if (found === undefined) throw new CannotShow('It needs one number: summarize count()');
  const format = formatOf(chart);
  const { value, text, values } = found;
  const look = statisticLook(chart, value);
  const showsChart = flagMember(chart, 'showChart') !== false && values.length > 1;
  const change =
    before === undefined || before.value === null || before.value === 0 || value === null
      ? undefined
      : (value - before.value) / Math.abs(before.value);
  return (
    <div
      className={cx(styles.statistic, styles[look.state])}
      style={{
        ...(look.background !== undefined && { background: look.background }),
        ...(look.text !== undefined && { color: look.text }),
        ...(look.spark !== undefined && { ['--spark' as string]: look.spark }),
      }}
    >
      {flagMember(chart, 'hideValue') !== true && (
        <p className={styles.value} {...(value !== null && { title: exactText(value) })}>
          {value === null ? (text ?? '–') : format(value)}
        </p>
      )}
      {look.state !== 'ok' && <p className={styles.state}>{words[look.state]}</p>}
      {change !== undefined && (
        <p className={styles.change}>
          {change >= 0 ? '▲' : '▼'} {Math.abs(change * 100).toFixed(1)}% {earlier?.title}
        </p>
      )}
      {showsChart && (
        <div className={styles.spark}>
          <Sparkline values={values} />
        </div>
      )}
    </div>
  );
}

export const statistic: ElementKind = {
  title: 'Statistic',
  about: 'One number, with its course and thresholds.',
  size: [3, 3],
  asks: true,
  rows: 2000,
  cut: 'series',
  begins: () => 'summarize count() by bin_auto(_time)',
  starter: { query: { apl: '' }, showChart: true },
  Draw: Statistic,
};
