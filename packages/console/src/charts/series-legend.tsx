import { type MouseEvent, useState } from 'react';
import type { PointedWith } from '../widgets/pointed-with.js';
import { TextField } from '../widgets/inputs/text-field.js';
import { isolated, isShown, type SeriesChoice, toggled } from './series-choice.js';
import styles from './series-chart.module.css';

/** Of more than so many nobody finds one by looking. */
const MANY = 20;

/**
 * The series by name: a click draws one alone, with Shift it hides one. What else can be done with
 * the value that a series stands for is up to the page: with Ctrl or Alt, and by the menu of the
 * right button.
 */
export function SeriesLegend({
  names,
  colours,
  choice,
  onChoice,
  earlier,
  onPoint,
  children,
}: {
  readonly names: readonly string[];
  readonly colours: readonly string[];
  readonly choice: SeriesChoice;
  readonly onChoice: (choice: SeriesChoice) => void;
  /** Series of an earlier time, with those of now that they belong to. */
  readonly earlier: ReadonlyMap<string, string>;
  readonly onPoint: ((event: PointedWith, name: string) => void) | undefined;
  readonly children: React.ReactNode;
}) {
  const [find, setFind] = useState('');
  const wanted = find.toLowerCase();
  const all = names.filter((name) => !earlier.has(name));
  const click = (event: MouseEvent, shown: string): void => {
    const name = earlier.get(shown) ?? shown;
    if (onPoint !== undefined && (event.metaKey || event.ctrlKey || event.altKey)) onPoint(event, name);
    else onChoice(event.shiftKey ? toggled(choice, all, name) : isolated(choice, name));
  };
  const hint = `click: only this · Shift: hide it${onPoint === undefined ? '' : ' · Ctrl: only this everywhere · Alt: leave it out everywhere'}`;
  return (
    <>
      {names.length > MANY && (
        <TextField
          label="Find a series"
          bare
          type="search"
          placeholder={`Find among ${names.length} series`}
          value={find}
          onChange={setFind}
          className={styles.find}
        />
      )}
      <ul className={styles.legend} aria-label="Series">
        {names.map((name, index) =>
          name.toLowerCase().includes(wanted) ? (
            <li key={name}>
              <button
                type="button"
                className={styles.entry}
                title={`${name}\n${hint}`}
                aria-pressed={isShown(choice, earlier.get(name) ?? name)}
                onClick={(event) => click(event, name)}
                onContextMenu={(event) => {
                  if (onPoint === undefined) return;
                  event.preventDefault();
                  onPoint(event, earlier.get(name) ?? name);
                }}
              >
                <span className={styles.swatch} style={{ background: colours[index] }} aria-hidden />
                {name === '' ? '""' : name}
              </button>
            </li>
          ) : null,
        )}
        {children}
      </ul>
    </>
  );
}
