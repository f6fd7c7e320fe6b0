import type { Block, BlockColumn } from './block.js';
import { uninitializedBytes } from '../columns/bytes.js';
import { type DictionaryHint, DictionaryHints } from '../columns/dictionary-heuristics.js';
import { type Lease, withCore } from '../core.js';
import { DICTIONARY_STRING, FIELD_STORAGE, parsePhysicalName } from '../fields.js';
import { DICTIONARY_ROWS } from '../limits.js';
import { type Piece, Pieces } from './pieces.js';

/**
 * Appends the rows of several blocks into one. Numbers and unique strings are copied. Other strings
 * go through column construction again: many small plain blocks then become one dictionary, which
 * the engine inserts far faster, and dictionaries of several blocks become one, without a second
 * way to build them.
 * @param habits statistics of earlier merges of the dataset: which strings are unique
 */
export function mergeBlocks(blocks: readonly Block[], habits = new DictionaryHints()): Block {
  habits.begin();
  const all = new Pieces(blocks);
  return { rows: all.rows, columns: [...all].map(([name, pieces]) => mergeColumn(name, pieces, all, habits)) };
}

function mergeColumn(name: string, pieces: readonly Piece[], all: Pieces, habits: DictionaryHints): BlockColumn {
  switch (parsePhysicalName(name)?.type) {
    case 'string':
      return mergeTexts(name, pieces, all, habits.of(name));
    case 'integer':
    case 'float':
    case 'datetime':
    case 'boolean':
    case 'array':
    case 'map':
    case undefined:
      return { name, type: pieces[0]!.column.type, data: copyPieces(all.bodyOf(name, pieces)) };
  }
}

function copyPieces(pieces: readonly Uint8Array[]): Uint8Array {
  const data = uninitializedBytes(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    data.set(piece, at);
    at += piece.length;
  }
  return data;
}

function mergeTexts(name: string, pieces: readonly Piece[], all: Pieces, habit: DictionaryHint): BlockColumn {
  const { rows } = all;
  const allPlain = pieces.every(({ column }) => column.type === FIELD_STORAGE.string.type);
  const staysPlain = (): boolean =>
    rows < DICTIONARY_ROWS ||
    habit.staysPlain(rows) ||
    // When a large plain block was encoded, its values turned out not to repeat: no need to check
    // again.
    pieces.some((piece) => piece.rows >= DICTIONARY_ROWS);
  if (allPlain && staysPlain())
    return { name, type: FIELD_STORAGE.string.type, data: copyPieces(all.bodyOf(name, pieces)) };
  return withCore((lease) => {
    const { core } = lease;
    core.beginMerge(Number(habit.repeats), habit.nextLook);
    for (const piece of pieces) mergePiece(lease, piece);
    const bytes = core.mergedBytes(rows);
    const at = core.room(bytes);
    core.writeMerged(rows, at);
    habit.set(core.mergedRepeats() !== 0, core.mergedNextLook());
    const type = core.isMergedDictionary() === 0 ? FIELD_STORAGE.string.type : DICTIONARY_STRING;
    return { name, type, data: new Uint8Array(lease.memory.buffer.slice(at, at + bytes)) };
  });
}

function mergePiece(lease: Lease, { firstRow, rows, column: { type, data } }: Piece): void {
  const { core } = lease;
  const at = lease.place(data);
  if (type === DICTIONARY_STRING) core.mergeDictionary(firstRow, rows, at);
  else core.mergePlain(firstRow, rows, at);
}
