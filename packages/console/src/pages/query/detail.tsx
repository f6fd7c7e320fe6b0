import { ChevronDown, ChevronUp, Link2, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { textOf } from '../../data/answers/cells.js';
import { eventJson } from '../../rows/event-json.js';
import { JsonTree } from '../../rows/json-tree.js';
import type { RowSource } from '../../rows/row-source.js';
import { sizeText, Value } from '../../rows/value.js';
import { useValueMenu } from '../../rows/value-menu.js';
import { wasClick } from '../../rows/was-click.js';
import { IconButton, Button } from '../../widgets/button.js';
import { CopyButton } from '../../widgets/copy-button.js';
import { copyText } from '../../widgets/copy-text.js';
import { Tabs } from '../../widgets/tabs.js';
import { TextField } from '../../widgets/text-field.js';
import { ContextTab } from './context-tab.js';
import styles from './detail.module.css';
import type { QueryStateAccess } from './query-state.js';
import { ReceiptTab } from './receipt-tab.js';
import type { RowPointer } from './use-row-pointer.js';

/** Fields listed at once: of a hundred thousand nobody reads more without a filter. */
const MOST_FIELDS = 300;

/** Everything about one row. */
export function Detail({
  access,
  source,
  row,
  pointer,
  dataset,
}: {
  readonly access: QueryStateAccess;
  readonly source: RowSource;
  readonly row: number;
  readonly pointer: RowPointer;
  readonly dataset: string | undefined;
}) {
  const { state, zone, change } = access;
  const cursor = source.cursor(row);
  const json = useMemo(() => eventJson(source, row), [source, row]);
  const isEvent = cursor !== undefined && dataset !== undefined;
  const tabs = [
    { id: 'fields', title: 'Fields', content: <FieldList source={source} row={row} zone={zone} /> },
    {
      id: 'json',
      title: 'JSON',
      content: (
        <div className={styles.json}>
          <JsonTree text={json} label="The row as JSON" />
        </div>
      ),
    },
    ...(isEvent
      ? [
          {
            id: 'context',
            title: 'Context',
            content: (
              <ContextTab key={cursor} dataset={dataset} cursor={cursor} source={source} row={row} zone={zone} />
            ),
          },
          {
            id: 'receipt',
            title: 'Receipt',
            content: <ReceiptTab key={cursor} cursor={cursor} source={source} row={row} zone={zone} />,
          },
        ]
      : []),
  ];
  const open = tabs.some(({ id }) => id === state.tab) ? state.tab : 'fields';
  return (
    <aside className={styles.detail} aria-label="The open row">
      <Tabs
        label="What to see of the row"
        open={open}
        onOpen={(tab) => change({ tab })}
        tabs={tabs}
        end={
          <span className={styles.tools}>
            <IconButton small label="Row before" onPress={() => pointer.move(-1)}>
              <ChevronUp />
            </IconButton>
            <IconButton small label="Next row" onPress={() => pointer.move(1)}>
              <ChevronDown />
            </IconButton>
            <IconButton
              small
              label="Copy a link to this row"
              onPress={() => void copyText(location.href, 'Link copied')}
            >
              <Link2 />
            </IconButton>
            <CopyButton text={json} label="Copy as JSON" />
            <IconButton small label="Close" onPress={pointer.close}>
              <X />
            </IconButton>
          </span>
        }
      />
    </aside>
  );
}

function FieldList({ source, row, zone }: { readonly source: RowSource; readonly row: number; readonly zone: string }) {
  const [filter, setFilter] = useState('');
  const wanted = filter.toLowerCase();
  const found = useMemo(
    () =>
      source.fields.filter(({ name }) => {
        const cell = source.cell(row, name);
        if (cell === null) return false;
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
      <dl className={styles.list}>
        {found.slice(0, MOST_FIELDS).map(({ name, type }) => (
          <FieldLine key={name} source={source} row={row} name={name} type={type} zone={zone} />
        ))}
      </dl>
      {found.length > MOST_FIELDS && (
        <p className={styles.more}>and {found.length - MOST_FIELDS} more fields: filter to see them</p>
      )}
      {found.length === 0 && <p className={styles.more}>No field has that in its name or value.</p>}
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
      <dt className={styles.name} title={`${name}: ${type}`}>
        {name}
      </dt>
      <dd className={styles.value}>
        <button
          type="button"
          className={styles.pick}
          aria-label={`${name}: what to do with the value`}
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
            <Value cell={cell} type={type} zone={zone} wide />
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

/** A long text in slices: the browser lays out only what is asked for. */
function LongText({ text }: { readonly text: string }) {
  const [at, setAt] = useState(0);
  const last = Math.max(0, Math.ceil(text.length / SLICE) - 1);
  const go = (next: number): void => setAt(Math.max(0, Math.min(last, next)));
  return (
    <span className={styles.long}>
      <span className={styles.slice}>
        <bdi>{text.slice(at * SLICE, (at + 1) * SLICE)}</bdi>
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
