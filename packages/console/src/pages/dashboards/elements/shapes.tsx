import type { Cell } from '../../../data/results/cells.js';
import { textOf } from '../../../data/results/cells.js';
import type { Chart } from '../document/document.js';
import styles from './elements.module.css';
import { formatOf } from './element-format.js';

/** A few numbers with names, when there is no series to draw. */
export function Figures({
  chart,
  figures,
}: {
  readonly chart: Chart;
  readonly figures: readonly { readonly name: string; readonly cell: Cell }[];
}) {
  const format = formatOf(chart);
  return (
    <dl className={styles.figures}>
      {figures.map(({ name, cell }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd title={textOf(cell)}>
            {typeof cell === 'number' || typeof cell === 'bigint' ? format(Number(cell)) : textOf(cell)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
