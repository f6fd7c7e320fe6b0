import { Failure } from '../failure.js';
import { elementsOf, membersOf } from './json-text.js';

/** A result in the tabular format. Cells are JSON texts as received. */

export interface Field {
  readonly name: string;
  /** An API type, or several joined by `|`. */
  readonly type: string;
}

export interface Table {
  readonly fields: readonly Field[];
  /** One array per field, equally long. */
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
  /** Totals over the whole range of a time series. */
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
 * Parses a response.
 * @throws Failure when it is not a tabular result
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
  // Servers may omit the columns of an empty result.
  return {
    fields,
    columns: columns.length === 0 ? fields.map(() => []) : columns,
    order: JSON.parse(table.get('order') ?? '[]') as Table['order'],
  };
}

export const rowsOf = ({ columns }: Table): number => columns[0]?.length ?? 0;
