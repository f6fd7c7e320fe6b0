import { call, literal } from '@millrace/sql';
import type { Expr, LiteralValue } from '@millrace/sql';
import type { RowsPlan } from '../../plan/nodes.js';
import { clickhouseType } from '../../model/types.js';
import type { ScalarType } from '../../model/types.js';
import { fitsInt64 } from '../../model/int64.js';

/**
 * Rows of constants as a single JSON text. Parsing it takes the engine a twentieth of the time of
 * one expression per cell: with those, the schema of ten thousand fields took a second to plan, and
 * that of a hundred thousand fields more memory than a query may use.
 * @param type of the array of rows; the first element of each row is its number
 * @returns undefined if a cell is not a constant, or is a constant that JSON cannot express
 */
export function constantRows({ columns, rows }: RowsPlan, type: string): Expr | undefined {
  const lines: string[] = [];
  for (const [i, row] of rows.entries()) {
    const cells = [String(i)];
    for (const [column, cell] of row.entries()) {
      const text = cell.kind === 'constant' ? jsonOf(cell.value, columns[column]!.type, cell.type) : undefined;
      if (text === undefined) return undefined;
      cells.push(text);
    }
    lines.push(`[${cells.join(',')}]`);
  }
  return call('JSONExtract', literal(`[${lines.join(',')}]`), literal(type));
}

/**
 * The JSON from which the engine reads a constant as the type of its column; undefined if it could
 * not.
 */
function jsonOf(value: LiteralValue, column: ScalarType, type: ScalarType): string | undefined {
  if (value === null) return 'null';
  // Times have no JSON form, and a value of another type would not be converted.
  if (clickhouseType[column] !== clickhouseType[type] || type === 'datetime') return undefined;
  switch (typeof value) {
    case 'string':
      // Half a surrogate pair would make the whole text invalid JSON.
      return halfCharacter.test(value) ? undefined : JSON.stringify(value);
    case 'bigint':
      return type === 'real' ? realJson(Number(value)) : fitsInt64(value) ? String(value) : 'null';
    case 'number':
      return realJson(value);
    case 'boolean':
      return String(value);
  }
}

const halfCharacter = /\p{Surrogate}/u;

/** With an exponent, as the engine cannot read integers of more than 64 bits. */
const realJson = (value: number): string | undefined =>
  Number.isFinite(value) ? (Object.is(value, -0) ? '-0.0' : value.toExponential()) : undefined;
