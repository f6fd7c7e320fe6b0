import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useMemo, useRef, useState } from 'react';
import { countText } from '../../../data/amounts.js';
import type { RowField, RowSource } from '../../../rows/row-source.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { FieldFacts } from './field-facts.js';
import styles from './field-rail.module.css';
import type { QueryState } from '../query-state.js';

/** Rows that coverage is estimated from: the first page, which is what is on the screen. */
const LOOKED_AT = 500;
/** Fields that can be scrolled through: of more nobody reads the names, and a filter finds them. */
const MOST_LISTED = 5000;
/** Fields that numbers are split by, to choose from. */
const MOST_SPLITS = 30;

const letters: Readonly<Record<string, string>> = {
  string: 's',
  integer: 'n',
  float: 'n',
  boolean: 'b',
  datetime: 't',
  timespan: 'd',
  array: '[ ]',
  map: '{ }',
  unknown: '?',
};

const lettersOf = (type: string): string => [...new Set(type.split('|').map((each) => letters[each] ?? '?'))].join('');

interface FieldRailProps {
  readonly source: RowSource;
  /** All fields of the dataset, also those that no row here has. */
  readonly known: readonly RowField[];
  readonly state: QueryState;
  readonly events: string;
  readonly chosen: readonly string[];
  readonly onColumn: (field: string) => void;
  readonly onSlowest: (field: string, by: string) => void;
  readonly onSpread: (field: string) => void;
}

/**
 * The fields: what they are, how many events have them, and, of those that are opened, what they
 * hold.
 */
export function FieldRail({ source, known, state, events, chosen, onColumn, onSlowest, onSpread }: FieldRailProps) {
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState<string>();
  const scroll = useRef<HTMLDivElement>(null);
  const coverage = useMemo(() => coverageOf(source), [source]);
  const found = useMemo(() => {
    const wanted = filter.toLowerCase();
    // Those that the rows have come first. Of a hundred thousand: looked at once, not sorted.
    const [here, elsewhere]: [RowField[], RowField[]] = [[], []];
    const look = (field: RowField): void => {
      if (wanted !== '' && !field.name.toLowerCase().includes(wanted)) return;
      if ((coverage.get(field.name) ?? 0) > 0) here.push(field);
      else elsewhere.push(field);
    };
    for (const field of source.fields) look(field);
    for (const field of known) if (source.typeOf(field.name) === '') look(field);
    return [...here, ...elsewhere];
  }, [source, known, filter, coverage]);
  const shown = useMemo(() => found.slice(0, MOST_LISTED), [found]);
  const splits = useMemo(
    () =>
      known
        .slice(0, LOOKED_AT)
        .filter(({ name, type }) => /string|boolean/.test(type) && !/(^|_)id$/.test(name))
        .map(({ name }) => name)
        .slice(0, MOST_SPLITS),
    [known],
  );
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroll.current,
    // What was measured belongs to a field, wherever it stands in the next answer.
    getItemKey: useCallback((index: number) => shown[index]?.name ?? index, [shown]),
    estimateSize: useCallback((index: number) => (shown[index]?.name === open ? 240 : 26), [shown, open]),
    overscan: 8,
  });
  return (
    <section className={styles.rail} aria-label="Fields">
      <TextField
        label="Find a field"
        bare
        type="search"
        placeholder={`${countText(found.length)} fields`}
        value={filter}
        onChange={setFilter}
      />
      <div className={styles.scroll} ref={scroll}>
        <ul style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const { name, type } = shown[index]!;
            const share = coverage.get(name) ?? 0;
            return (
              <li
                key={name}
                data-index={index}
                ref={virtual.measureElement}
                className={styles.item}
                style={{ transform: `translateY(${start}px)` }}
              >
                <button
                  type="button"
                  className={styles.field}
                  aria-expanded={name === open}
                  title={`${name}: ${type}, in ${Math.round(share * 100)} % of the rows here`}
                  onClick={() => setOpen(name === open ? undefined : name)}
                >
                  <span className={styles.type} aria-label={type}>
                    {lettersOf(type)}
                  </span>
                  <span className={styles.name}>{name}</span>
                  <span className={styles.coverage} aria-hidden>
                    <span style={{ width: `${share * 100}%` }} />
                  </span>
                </button>
                {name === open && (
                  <FieldFacts
                    field={name}
                    type={type}
                    events={events}
                    state={state}
                    chosen={chosen.includes(name)}
                    onColumn={() => onColumn(name)}
                    splits={splits}
                    onSlowest={(by) => onSlowest(name, by)}
                    onSpread={() => onSpread(name)}
                  />
                )}
              </li>
            );
          })}
        </ul>
        {found.length > shown.length && (
          <p className={styles.rest}>and {countText(found.length - shown.length)} more: find them by their names</p>
        )}
      </div>
    </section>
  );
}

/** The share of the first rows that have each field. */
function coverageOf(source: RowSource): ReadonlyMap<string, number> {
  const rows = Math.min(source.rows, LOOKED_AT);
  // Of very many fields only so many are looked at: the others say nothing until they are opened.
  const fields = source.fields.slice(0, 2000);
  return new Map(
    fields.map(({ name }) => {
      let having = 0;
      for (let row = 0; row < rows; row++) if (source.cell(row, name) !== null) having++;
      return [name, rows === 0 ? 0 : having / rows] as const;
    }),
  );
}
