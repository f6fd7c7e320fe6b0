import { Button } from '../../../widgets/inputs/button.js';
import { copyText } from '../../../widgets/copy-text.js';
import { Menu } from '../../../widgets/overlays/menu.js';
import type { QueryStateAccess } from '../query-state.js';
import { rowsAs, type RowsFormat } from './format-rows.js';
import { tableColumns } from './shown-columns.js';
import type { Result } from '../use-result.js';

const formats: readonly { readonly id: RowsFormat; readonly title: string }[] = [
  { id: 'lines', title: 'Lines' },
  { id: 'ndjson', title: 'NDJSON' },
  { id: 'csv', title: 'CSV' },
  { id: 'markdown', title: 'Markdown' },
];

/** Copies the selected rows as text. */
export const CopyMenu = ({
  access,
  result,
  selected,
}: {
  readonly access: QueryStateAccess;
  readonly result: Result;
  readonly selected: ReadonlySet<number>;
}) => (
  <Menu
    label="Copy the selected rows"
    button={<Button small>Copy {selected.size === 1 ? '1 row' : `${selected.size} rows`}</Button>}
    groups={[
      {
        entries: formats.map(({ id, title }) => ({
          id,
          title,
          run: () => {
            const columns =
              id === 'ndjson'
                ? result.source.fields.map(({ name }) => name)
                : tableColumns(access, result).map(({ name }) => name);
            const rows = [...selected].toSorted((a, b) => a - b);
            void copyText(rowsAs(id, result.source, columns, rows), 'Copied');
          },
        })),
      },
    ]}
  />
);
