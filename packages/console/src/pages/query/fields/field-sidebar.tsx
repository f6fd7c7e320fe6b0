import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useMemo, useRef, useState } from 'react';
import { countOf, countText } from '../../../data/format-units.js';
import { visibleText } from '../../../data/results/visible-text.js';
import { fieldCoverage, type RowField, type RowSource } from '../../../rows/row-source.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { FieldName } from '../../../widgets/untrusted-text.js';
import { FieldFacts } from './field-details.js';
import styles from './field-sidebar.module.css';
import type { QueryState } from '../query-state.js';

/** Fields of the dataset that are considered for splitting numbers. */
const LOOKED_AT = 500;
/** Maximum listed fields; a filter finds the others. */
const MAX_LISTED = 5000;
/** Fields to choose from for splitting numbers. */
const MAX_SPLITS = 30;

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
  /** All fields of the dataset, also those without values in these rows. */
  readonly known: readonly RowField[];
  readonly state: QueryState;
  readonly events: string;
  readonly chosen: readonly string[];
  readonly onColumn: (field: string) => void;
  readonly onSlowest: (field: string, by: string) => void;
  readonly onSpread: (field: string) => void;
}

/** Fields with types and coverage; expanded ones with their values. */
export function FieldRail({ source, known, state, events, chosen, onColumn, onSlowest, onSpread }: FieldRailProps) {
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState<string>();
  const scroll = useRef<HTMLDivElement>(null);
  const coverage = useMemo(() => fieldCoverage(source), [source]);
  const found = useMemo(() => {
    const wanted = filter.toLowerCase();
    // Fields with values come first. One pass without sorting: there may be a hundred thousand.
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
  const shown = useMemo(() => found.slice(0, MAX_LISTED), [found]);
  const splits = useMemo(
    () =>
      known
        .slice(0, LOOKED_AT)
        .filter(({ name, type }) => /string|boolean/.test(type) && !/(^|_)id$/.test(name))
        .map(({ name }) => name)
        .slice(0, MAX_SPLITS),
    [known],
  );
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroll.current,
    // Measured sizes belong to a field at any position in the next result.
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
        placeholder={`Find in ${countOf(found.length, 'field')}`}
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
                  title={`${visibleText(name)}: ${type}, in ${Math.round(share * 100)}% of the rows here`}
                  onClick={() => setOpen(name === open ? undefined : name)}
                >
                  <span className={styles.type} aria-label={type}>
                    {lettersOf(type)}
                  </span>
                  <FieldName name={name} className={styles.name} />
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
          <p className={styles.rest}>and {countText(found.length - shown.length)} more; search by name</p>
        )}
      </div>
    </section>
  );
}
