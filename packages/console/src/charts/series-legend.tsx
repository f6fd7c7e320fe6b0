import { type MouseEvent, useState } from 'react';
import type { PointedWith } from '../widgets/pointer-type.js';
import { visibleText } from '../data/results/visible-text.js';
import { cx } from '../widgets/class-names.js';
import { exactText } from './exact-text.js';
import type { SeriesStatistics } from './series-statistics.js';
import { UntrustedText } from '../widgets/untrusted-text.js';
import { TextField } from '../widgets/inputs/text-field.js';
import { isolate, isShown, type SeriesChoice, toggleSeries } from './series-choice.js';
import styles from './series-chart.module.css';

/** Long legends get a filter. */
const MANY = 20;

/**
 * Series by name: click isolates, Shift+click hides. Ctrl+click, Alt+click and the context menu run
 * actions of the page on the series' value.
 */
export function SeriesLegend({
  names,
  colors,
  choice,
  onChoice,
  earlier,
  statistics,
  format,
  onPoint,
  children,
}: {
  readonly names: readonly string[];
  readonly colors: readonly string[];
  readonly choice: SeriesChoice;
  readonly onChoice: (choice: SeriesChoice) => void;
  /** Series of an earlier time, with their current counterparts. */
  readonly earlier: ReadonlyMap<string, string>;
  /** Numbers of each series, in the order of the names. */
  readonly statistics: readonly SeriesStatistics[] | undefined;
  readonly format: (value: number) => string;
  readonly onPoint: ((event: PointedWith, name: string) => void) | undefined;
  readonly children: React.ReactNode;
}) {
  const [find, setFind] = useState('');
  const wanted = find.toLowerCase();
  const all = names.filter((name) => !earlier.has(name));
  const click = (event: MouseEvent, shown: string): void => {
    const name = earlier.get(shown) ?? shown;
    if (onPoint !== undefined && (event.metaKey || event.ctrlKey || event.altKey)) onPoint(event, name);
    else onChoice(event.shiftKey ? toggleSeries(choice, all, name) : isolate(choice, name));
  };
  const hint = `Click: isolate · Shift: hide${onPoint === undefined ? '' : ' · Ctrl: filter for value · Alt: filter out value'}`;
  return (
    <div className={styles.names}>
      {names.length > MANY && (
        <TextField
          label="Find a series"
          bare
          type="search"
          placeholder={`Search ${names.length} series`}
          value={find}
          onChange={setFind}
          className={styles.find}
        />
      )}
      <ul className={cx(styles.legend, statistics !== undefined && styles.counted)} aria-label="Series">
        {names.map((name, index) =>
          name.toLowerCase().includes(wanted) ? (
            <li key={name}>
              <button
                type="button"
                className={styles.entry}
                title={`${visibleText(name)}\n${hint}`}
                aria-pressed={isShown(choice, earlier.get(name) ?? name)}
                onClick={(event) => click(event, name)}
                onContextMenu={(event) => {
                  if (onPoint === undefined) return;
                  event.preventDefault();
                  onPoint(event, earlier.get(name) ?? name);
                }}
              >
                <span className={styles.swatch} style={{ background: colors[index] }} aria-hidden />
                <UntrustedText text={name === '' ? '""' : name} />
              </button>
              {statistics !== undefined && <Numbers of={statistics[index]!} format={format} />}
            </li>
          ) : null,
        )}
        {children}
      </ul>
    </div>
  );
}

const numbers = ['last', 'min', 'max', 'avg'] as const;

/** Last, smallest, largest and average value; the tooltip has all digits. */
const Numbers = ({ of, format }: { readonly of: SeriesStatistics; readonly format: (value: number) => string }) => (
  <span className={styles.statistics}>
    {numbers.map((name) => {
      const value = of[name];
      return (
        <span key={name} {...(value !== undefined && { title: `${name} ${exactText(value)}` })}>
          <small>{name}</small> {value === undefined ? '–' : format(value)}
        </span>
      );
    })}
  </span>
);
