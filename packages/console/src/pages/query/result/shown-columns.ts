import { eventColumns } from '../../../rows/event-columns.js';
import { fittedColumns } from '../../../rows/fitted-columns.js';
import { columnsOf, type TableColumn } from '../../../rows/table-columns.js';
import type { QueryStateAccess } from '../query-state.js';
import type { Result } from '../use-result.js';

/** Default fields of a table of events. */
const MAX_COLUMNS = 16;
const MAX_GROUP_COLUMNS = 100;

/** Columns of the table: chosen ones, or the first of the result. */
export function tableColumns(
  access: Pick<QueryStateAccess, 'state'>,
  result: Pick<Result, 'source' | 'answer'>,
): readonly TableColumn[] {
  const { source, answer } = result;
  const { fields } = source;
  const isEvents = answer?.head.status.minCursor !== undefined;
  const max = isEvents ? MAX_COLUMNS : MAX_GROUP_COLUMNS;
  const names =
    access.state.c.length > 0
      ? access.state.c
      : isEvents
        ? eventColumns(source, max)
        : fields.slice(0, max).map(({ name }) => name);
  return fittedColumns(columnsOf(names, fields), source, answer);
}
