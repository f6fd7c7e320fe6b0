import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { Button, IconButton } from '../../../widgets/inputs/button.js';
import { Select } from '../../../widgets/inputs/select.js';
import board from '../dashboard.module.css';
import type { Chart } from '../document/document.js';
import { tableColumns, withTableColumns } from '../document/table-columns.js';
import styles from './column-fields.module.css';

/** Chooses and orders the columns of a table or log. */
export function ColumnFields({
  chart,
  fields,
  onEdit,
}: {
  readonly chart: Chart;
  /** Columns of the result. */
  readonly fields: readonly string[];
  readonly onEdit: (change: (chart: Chart) => Chart) => void;
}) {
  const columns = tableColumns(chart);
  const put = (next: typeof columns): void =>
    onEdit((before) =>
      withTableColumns(
        before,
        next.map(({ entry }) => entry),
      ),
    );
  const swap = (at: number, by: number): void => {
    const next = [...columns];
    [next[at], next[at + by]] = [next[at + by]!, next[at]!];
    put(next);
  };
  const others = fields.filter((name) => columns.every((column) => column.name !== name));
  return (
    <fieldset className={board.group}>
      <legend>Columns (default: all)</legend>
      <ol className={styles.list}>
        {columns.map(({ name }, at) => (
          <li key={`${name} ${at}`} className={styles.column}>
            <code className={styles.name}>{name}</code>
            <IconButton small label={`Move ${name} left`} disabled={at === 0} onPress={() => swap(at, -1)}>
              <ArrowUp />
            </IconButton>
            <IconButton
              small
              label={`Move ${name} right`}
              disabled={at === columns.length - 1}
              onPress={() => swap(at, 1)}
            >
              <ArrowDown />
            </IconButton>
            <IconButton small label={`Remove ${name}`} onPress={() => put(columns.filter((_, each) => each !== at))}>
              <Trash2 />
            </IconButton>
          </li>
        ))}
      </ol>
      <div className={board.row}>
        <Select
          label="Add a column"
          bare
          value=""
          choices={[
            { id: '', title: others.length === 0 ? 'No other field' : 'Add a column…' },
            ...others.map((name) => ({ id: name, title: name })),
          ]}
          onChange={(name) => name !== '' && put([...columns, { name, width: undefined, entry: name }])}
        />
        {columns.length > 0 && (
          <Button small kind="quiet" onPress={() => put([])}>
            All fields
          </Button>
        )}
      </div>
    </fieldset>
  );
}
