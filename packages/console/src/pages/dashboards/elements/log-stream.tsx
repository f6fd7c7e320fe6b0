import { CannotShow } from '../../../widgets/load-error.js';
import { useMemo, useState } from 'react';
import { datasetOf, useFieldRoles } from '../../../rows/field-roles.js';
import { levelField, messageField } from '../../../rows/known-fields.js';
import { type LogLayout, LogRow, logRowSentence } from '../../../rows/log-row.js';
import { RowGrid } from '../../../rows/row-grid.js';
import { columnsOf } from '../../../rows/table-columns.js';
import { rowSource } from '../../../rows/row-source.js';
import { flagMember, membersOf, shownName } from '../document/document.js';
import { shownColumns } from '../document/table-columns.js';
import { type DrawProps, type ElementKind } from './element-kind.js';

const nothing: ReadonlySet<number> = new Set();
const ignore = (): void => {};

function LogStream({ chart, answer, zone }: DrawProps) {
  const [active, setActive] = useState<number>();
  const source = useMemo(() => rowSource([answer]), [answer]);
  const roles = useFieldRoles(datasetOf(answer));
  const layout: LogLayout = useMemo(
    () => ({
      message: messageField(source.fields, roles),
      level: levelField(source.fields, roles),
      chosen: columnsOf(shownColumns(chart), source.fields)
        .map(({ name }) => name)
        .filter((name) => name !== '_time'),
    }),
    [source, chart, roles],
  );
  if (!source.fields.some(({ name }) => name === '_time'))
    throw new CannotShow('Requires events with _time; use a table for groups.');
  const wrap = flagMember(membersOf(membersOf(chart['tableSettings'])['settings']), 'wrapLines') === true;
  return (
    <RowGrid
      label={shownName(chart)}
      rows={source.rows}
      total={source.rows}
      columns={3}
      wrap={wrap}
      render={(row) => <LogRow source={source} row={row} layout={layout} zone={zone} wrap={wrap} />}
      describe={(row) => logRowSentence(source, row, layout)}
      active={active}
      selected={nothing}
      onActive={setActive}
      onOpen={ignore}
      onEnd={ignore}
    />
  );
}

export const logStream: ElementKind = {
  title: 'Log stream',
  about: 'The newest events, one line each.',
  size: [12, 6],
  asks: true,
  rows: 500,
  cut: 'rows',
  begins: () => '',
  starter: { query: { apl: '' }, tableSettings: { columns: [] } },
  Draw: LogStream,
};
