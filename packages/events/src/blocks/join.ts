import type { Block, BlockColumn } from './block.js';
import { withCore } from '../core.js';
import { DICTIONARY_STRING, FIELD_STORAGE } from '../fields.js';
import { hasDictionary } from './join-cost.js';
import { type Piece, Pieces } from './pieces.js';

/** A column of several blocks, its Native body in pieces to be written one after another. */
export interface JoinedColumn {
  readonly name: string;
  readonly type: string;
  readonly pieces: readonly Uint8Array[];
}

/**
 * Joins the columns of several large blocks, in order of first occurrence. Their bytes are not
 * copied; only dictionaries are rebuilt, from their keys. The engine would copy all values. A
 * string column with a dictionary in only some blocks is stored in the form that most rows have.
 */
export function joinBlocks(blocks: readonly Block[]): readonly JoinedColumn[] {
  const [first] = blocks;
  if (first !== undefined && blocks.length === 1) {
    return first.columns.map(({ name, type, data }) => ({ name, type, pieces: [data] }));
  }
  const all = new Pieces(blocks);
  return [...all].map(([name, pieces]) => {
    const rowsWith = pieces.reduce((sum, { rows, column }) => (isDictionary(column) ? sum + rows : sum), 0);
    const rowsWithout = pieces.reduce((sum, { rows, column }) => (isDictionary(column) ? sum : sum + rows), 0);
    if (hasDictionary(rowsWith, rowsWithout))
      return { name, type: DICTIONARY_STRING, pieces: [dictionaryOf(pieces, all.rows)] };
    const plain = rowsWith === 0 ? pieces : pieces.map(withoutDictionary);
    return { name, type: plain[0]!.column.type, pieces: all.bodyOf(name, plain) };
  });
}

const isDictionary = ({ type }: BlockColumn): boolean => type === DICTIONARY_STRING;

function dictionaryOf(pieces: readonly Piece[], rows: number): Uint8Array {
  return withCore((lease) => {
    const { core } = lease;
    core.beginJoin();
    for (const { firstRow, rows: own, column } of pieces) {
      const at = lease.place(column.data);
      if (isDictionary(column)) core.joinDictionary(firstRow, own, at);
      else core.joinPlain(firstRow, own, at);
    }
    const bytes = core.joinedBytes(rows);
    const at = core.room(bytes);
    core.writeJoined(rows, at);
    return new Uint8Array(lease.memory.buffer.slice(at, at + bytes));
  });
}

function withoutDictionary(piece: Piece): Piece {
  const { rows, column } = piece;
  if (!isDictionary(column)) return piece;
  const data = withCore((lease) => {
    const { core } = lease;
    core.beginPlainMerge();
    core.mergeDictionary(0, rows, lease.place(column.data));
    const bytes = core.mergedBytes(rows);
    const at = core.room(bytes);
    core.writeMerged(rows, at);
    return new Uint8Array(lease.memory.buffer.slice(at, at + bytes));
  });
  return { ...piece, column: { ...column, type: FIELD_STORAGE.string.type, data } };
}
