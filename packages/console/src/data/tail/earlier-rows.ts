import type { Answer } from '../results/results.js';
import type { Cell } from '../results/cells.js';
import type { TailRow } from './tail-messages.js';

/** Column with the cursor of each event. */
const CURSOR = '_cursor';

/** Position of the batch of an event: the middle of its hexadecimal cursor. */
export const positionOfCursor = (cursor: string): string => String(BigInt(`0x${cursor.split('-')[1] ?? '0'}`));

/** Events of a result as rows of a tail, newest last. */
export function earlierRows({ table }: Pick<Answer, 'table'>): readonly TailRow[] {
  const { fields } = table.head;
  const rows: TailRow[] = [];
  for (let row = table.rows - 1; row >= 0; row--) {
    const cells = new Map<string, Cell>();
    let cursor = '';
    for (const [column, { name }] of fields.entries()) {
      const cell = table.columns[column]![row] ?? null;
      if (name === CURSOR) cursor = typeof cell === 'string' ? cell : '';
      else if (cell !== null) cells.set(name, cell);
    }
    rows.push({ cells, position: positionOfCursor(cursor), cursor });
  }
  return rows;
}
