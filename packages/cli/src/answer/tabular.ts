import { Failure } from '../failure.js';
import { elementsOf, membersOf } from './json-text.js';

/** An answer in the tabular format. Cells are the JSON texts that were sent. */

export interface Field {
  readonly name: string;
  /** One type of the interface, or several joined by `|`. */
  readonly type: string;
}

export interface Table {
  readonly fields: readonly Field[];
  /** One array per field, all of the same length. */
  readonly columns: readonly (readonly string[])[];
  readonly order: readonly { readonly field: string; readonly desc: boolean }[];
}

export interface Message {
  readonly priority: string;
  readonly code: string;
  readonly msg: string;
}

export interface Answer {
  readonly table: Table;
  /** For a result in bins of time: the same aggregations over the whole time range. */
  readonly totals?: Table;
  readonly status: {
    readonly elapsedTime: number;
    readonly rowsExamined: number;
    readonly rowsMatched: number;
    readonly minCursor?: string;
    readonly maxCursor?: string;
    readonly messages?: readonly Message[];
  };
}

/**
 * Reads an answer.
 * @throws Failure when the text is not such an answer
 */
export function readAnswer(text: string): Answer {
  try {
    const answer = membersOf(text);
    const [table, totals] = elementsOf(answer.get('tables') ?? '').map(readTable);
    if (table === undefined) throw new SyntaxError('no table');
    return {
      table,
      ...(totals !== undefined && { totals }),
      status: JSON.parse(answer.get('status') ?? '{}') as Answer['status'],
    };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Failure('failed', 'the server sent an answer that cannot be read; is it the right URL?', {
      cause: error,
    });
  }
}

function readTable(text: string): Table {
  const table = membersOf(text);
  const fields = JSON.parse(table.get('fields') ?? '[]') as readonly Field[];
  const columns = elementsOf(table.get('columns') ?? '[]').map(elementsOf);
  // A server may leave out the columns when there are no rows.
  return {
    fields,
    columns: columns.length === 0 ? fields.map(() => []) : columns,
    order: JSON.parse(table.get('order') ?? '[]') as Table['order'],
  };
}

export const rowsOf = ({ columns }: Table): number => columns[0]?.length ?? 0;
