import { cellText, escapeInvisible } from './cell.js';
import type { Rows } from './table.js';

/** Size of a compact table. */
export interface TextLimits {
  readonly bytes: number;
  /** Characters of a cell. */
  readonly cell: number;
}

interface CompactTable {
  readonly text: string;
  /** Rows that fit. */
  readonly shown: number;
}

/**
 * Writes rows as tab-separated text. Empty columns are left out, and a value that all rows share
 * stands once above the table. Rows that do not fit are left out.
 */
export function compactTable({ columns, cells }: Rows, room: TextLimits): CompactTable {
  const max = cells.length === 1 ? room.bytes : room.cell;
  const texts = cells.map((row) => row.map((json, i) => cellText(json, columns[i]!.type, max)));
  const isSame = (i: number): boolean => texts.length > 2 && texts.every((row) => row[i] === texts[0]![i]);
  const isEmpty = (i: number): boolean => texts.every((row) => row[i] === '');
  const all = columns.map((_, i) => i);
  const filled = texts.length === 0 ? all : all.filter((i) => !isEmpty(i));
  const same = filled.filter(isSame);
  const varying = filled.filter((i) => !same.includes(i));
  const lines = [
    ...(same.length === 0
      ? []
      : [`same in these rows: ${same.map((i) => `${escapeInvisible(columns[i]!.name)}=${texts[0]![i]!}`).join('  ')}`]),
    varying.map((i) => escapeInvisible(columns[i]!.name)).join('\t'),
  ];
  let left = room.bytes - Buffer.byteLength(lines.join('\n'));
  let shown = 0;
  for (const row of texts) {
    const line = varying.map((i) => row[i]).join('\t');
    left -= Buffer.byteLength(line) + 1;
    // One row always fits: without any, an agent could not continue.
    if (left < 0 && shown > 0) break;
    lines.push(line);
    shown++;
  }
  return { text: lines.join('\n'), shown };
}
