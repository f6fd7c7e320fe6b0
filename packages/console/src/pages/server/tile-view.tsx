import { cx } from '../../widgets/class-names.js';
import { Sparkline } from '../../widgets/sparkline.js';
import type { Scrape } from './prometheus-text.js';
import styles from './server.module.css';
import { type Tile, valuesOf } from './tile-table.js';

/** Least scrapes per sparkline, one minute: the first ones are a line, not a dot at the edge. */
const PLACES = 12;

/** A metric: current value, trend, and advice if it is not good. */
export function TileView({ tile, scrapes }: { readonly tile: Tile; readonly scrapes: readonly Scrape[] }) {
  const values = valuesOf(tile, scrapes);
  const value = values.at(-1);
  const known = values.filter((each) => each !== undefined);
  const verdict = value === undefined ? 'good' : (tile.verdict?.(known) ?? 'good');
  return (
    <div className={cx(styles.tile, styles[verdict])}>
      <h3 className={styles.title}>{tile.title}</h3>
      <p className={styles.value}>{value === undefined ? '–' : tile.text(value)}</p>
      <Sparkline values={values} min={PLACES} />
      {verdict !== 'good' && <p className={styles.advice}>{tile.advice}</p>}
    </div>
  );
}
