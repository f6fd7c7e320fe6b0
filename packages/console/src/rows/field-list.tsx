import { useMemo, useState } from 'react';
import { textOf } from '../data/results/cells.js';
import { Button } from '../widgets/inputs/button.js';
import { CopyButton } from '../widgets/copy-button.js';
import { visibleText } from '../data/results/visible-text.js';
import { FieldName, UntrustedText } from '../widgets/untrusted-text.js';
import { TextField } from '../widgets/inputs/text-field.js';
import styles from './field-list.module.css';
import type { RowSource } from './row-source.js';
import { TraceLink } from './trace-links.js';
import { sizeText, Value } from './value.js';
import { useValueMenu } from './value-menu.js';
import { wasClick } from './is-click.js';

/** Maximum listed fields; a filter finds the others. */
const MAX_FIELDS = 300;

/** Fields of a row that have a value, with filter and actions. */
export function FieldList({
  source,
  row,
  zone,
}: {
  readonly source: RowSource;
  readonly row: number;
  readonly zone: string;
}) {
  const [filter, setFilter] = useState('');
  const wanted = filter.toLowerCase();
  const found = useMemo(
    () =>
      source.present(row).filter(({ name }) => {
        const cell = source.cell(row, name);
        return wanted === '' || name.toLowerCase().includes(wanted) || textOf(cell).toLowerCase().includes(wanted);
      }),
    [source, row, wanted],
  );
  return (
    <div className={styles.fields}>
      <TextField
        label="Filter fields"
        bare
        type="search"
        placeholder="Filter fields and values"
        value={filter}
        onChange={setFilter}
      />
      <dl>
        {found.slice(0, MAX_FIELDS).map(({ name, type }) => (
          <FieldLine key={name} source={source} row={row} name={name} type={type} zone={zone} />
        ))}
      </dl>
      {found.length > MAX_FIELDS && (
        <p className={styles.more}>and {found.length - MAX_FIELDS} more fields; filter to find them</p>
      )}
      {found.length === 0 && <p className={styles.more}>No matching fields</p>}
    </div>
  );
}

function FieldLine({
  source,
  row,
  name,
  type,
  zone,
}: {
  readonly source: RowSource;
  readonly row: number;
  readonly name: string;
  readonly type: string;
  readonly zone: string;
}) {
  const openMenu = useValueMenu();
  const cell = source.cell(row, name);
  const [whole, setWhole] = useState<string>();
  const isLong = typeof cell === 'object' && cell !== null && cell.kind === 'long';
  return (
    <div className={styles.line}>
      <dt className={styles.name} title={`${visibleText(name)}: ${type}`}>
        <FieldName name={name} className={styles.nameText} />
      </dt>
      <dd className={styles.value}>
        <button
          type="button"
          className={styles.pick}
          aria-label={`${name}: value actions`}
          onClick={(event) => openMenu(event, { field: name, type, cell, row })}
        >
          ⋯
        </button>
        <span
          className={styles.text}
          onClick={(event) => wasClick(event) && openMenu(event, { field: name, type, cell, row })}
        >
          {isLong && whole !== undefined ? (
            <LongText text={whole} />
          ) : (
            <TraceLink source={source} row={row} field={name} cell={cell}>
              <Value cell={cell} type={type} zone={zone} wide />
            </TraceLink>
          )}
        </span>
        {isLong && whole === undefined && (
          <Button small onPress={() => void source.whole(row, name).then(setWhole)}>
            Show all ({sizeText(cell.length)})
          </Button>
        )}
      </dd>
    </div>
  );
}

const SLICE = 4096;

/** A long text in slices: the browser lays out only the slice on screen. */
function LongText({ text }: { readonly text: string }) {
  const [at, setAt] = useState(0);
  const last = Math.max(0, Math.ceil(text.length / SLICE) - 1);
  const go = (next: number): void => setAt(Math.max(0, Math.min(last, next)));
  return (
    <span className={styles.long}>
      <span className={styles.slice}>
        <UntrustedText text={text.slice(at * SLICE, (at + 1) * SLICE)} />
      </span>
      <span className={styles.pages}>
        <Button small disabled={at === 0} onPress={() => go(at - 1)}>
          Before
        </Button>
        <span role="status">
          part {at + 1} of {last + 1}
        </span>
        <Button small disabled={at === last} onPress={() => go(at + 1)}>
          After
        </Button>
        <CopyButton text={text} label={`Copy all (${sizeText(text.length)})`} words />
      </span>
    </span>
  );
}
