import { useMemo, useState } from 'react';
import type { Answer } from '../../../data/results/results.js';
import { textOf } from '../../../data/results/cells.js';
import { eventColumns } from '../../../rows/event-columns.js';
import { RowGrid } from '../../../rows/row-grid.js';
import { fittedColumns } from '../../../rows/fitted-columns.js';
import { orderBy, rowSource } from '../../../rows/row-source.js';
import { columnsOf, type TableColumn } from '../../../rows/table-columns.js';
import { TableHeader } from '../../../rows/table-header.js';
import { TableRow } from '../../../rows/table-row.js';
import { type Chart, flagMember, membersOf, shownName } from '../document/document.js';
import { shownColumns } from '../document/table-columns.js';

const MAX_COLUMNS = 40;
const nothing: ReadonlySet<number> = new Set();
const ignore = (): void => {};

/** The result as a table; a click on a header sorts it. */
export function Rows({
  chart,
  answer,
  zone,
}: {
  readonly chart: Chart;
  readonly answer: Answer;
  readonly zone: string;
}) {
  const [sort, setSort] = useState('');
  const [own, setOwn] = useState<readonly TableColumn[]>();
  const [active, setActive] = useState<number>();
  const plain = useMemo(() => rowSource([answer]), [answer]);
  const source = useMemo(
    () => (sort === '' ? plain : rowSource([answer], orderBy(plain, sort.replace(/^-/, ''), sort.startsWith('-')))),
    [plain, answer, sort],
  );
  const columns = useMemo(() => {
    if (own !== undefined) return own;
    const wanted = shownColumns(chart);
    const isEvents = answer.head.status.minCursor !== undefined;
    const names =
      wanted.length > 0
        ? wanted
        : isEvents
          ? eventColumns(source, MAX_COLUMNS)
          : source.fields.map(({ name }) => name).filter((name) => name !== '_sysTime');
    return fittedColumns(columnsOf(names.slice(0, MAX_COLUMNS), source.fields), source, answer);
  }, [answer, chart, source, own]);
  const wrap = flagMember(membersOf(membersOf(chart['tableSettings'])['settings']), 'wrapLines') === true;
  return (
    <RowGrid
      label={shownName(chart)}
      rows={source.rows}
      total={source.rows}
      columns={columns.length}
      wrap={wrap}
      width={columns.reduce((sum, { width }) => sum + width, 24)}
      header={
        <TableHeader
          columns={columns}
          sort={sort}
          onSort={(field) => setSort(sort === `-${field}` ? field : `-${field}`)}
          onChange={setOwn}
        />
      }
      render={(row) => <TableRow source={source} row={row} columns={columns} zone={zone} wrap={wrap} />}
      describe={(row) =>
        columns
          .slice(0, 6)
          .map(({ name }) => `${name} ${textOf(source.cell(row, name)).slice(0, 80)}`)
          .join(', ')
      }
      active={active}
      selected={nothing}
      onActive={setActive}
      onOpen={ignore}
      onEnd={ignore}
    />
  );
}
