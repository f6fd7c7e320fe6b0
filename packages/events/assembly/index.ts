import { beginBatch, earliestTime, latestTime, rollbackEvent } from './batch';
import { addField, beginBlock, columnTable, describeColumns, layOut, writeBodies, bodiesAt } from './block';
import { beginBody, lastEventAt, readEvents, setEnd, setLabels, setRoots } from './body';
import { beginCsv, cellTable, cellsFound, openingQuote, readCell, readRow, rowAt, CELL } from './csv';
import { addColumn, beginCsvEvents, readRows } from './csv-events';
import { beginEvents } from './event';
import { Field, currentRow } from './field';
import { setSeed } from './hash';
import { hasSpilled } from './kept';
import { beginKeys, forgetKeys, newRoot } from './keys';
import { SLACK, take } from './memory';
import {
  beginMerge,
  isMergedDictionary,
  mergeDictionary,
  mergePlain,
  mergedBytes,
  mergedNextLook,
  mergedRepeats,
  writeMerged,
} from './merge';
import { beginSkipping, skipValue } from './skip';
import { expected, failedAt } from './source';
import { setDictionaryRows } from './text-column';
import { beginTexts, textAt, textLength } from './text';
import { beginTimes, eventTime, hasTime, resetTime } from './time';

/**
 * The encoder: reads events from the bytes of a body straight into columns, and writes these as the engine wants them. What the host calls is
 * here; what it is asked is in `host.ts`. All that a body takes is given back when the next one begins, but for what is known of keys.
 */

export {
  describeColumns,
  columnTable,
  layOut,
  writeBodies,
  bodiesAt,
  rollbackEvent as rollback,
  currentRow as rowCount,
};
export { beginKeys, forgetKeys, hasSpilled, newRoot, setRoots };
export { setEnd, setLabels, readEvents, lastEventAt };
export { addColumn, beginCsv, readRow, readRows, rowAt, cellsFound, openingQuote, textLength };
export { failedAt, expected, hasTime, eventTime, resetTime, earliestTime, latestTime };
export {
  beginMerge,
  mergePlain,
  mergeDictionary,
  mergedBytes,
  writeMerged,
  isMergedDictionary,
  mergedRepeats,
  mergedNextLook,
};

/** Before anything else: where hashes begin, and from how many rows on there are dictionaries. */
export function setUp(seed: u64, dictionaryRows: i32): void {
  setSeed(seed);
  setDictionaryRows(dictionaryRows);
}

/** A body begins: its limits, the time of arrival, and whether the host reads all times. One with keys goes on with {@link beginKeys}. */
export function begin(longest: usize, mostLevels: usize, arrival: i64, ofLayout: bool): void {
  heap.reset();
  beginTexts();
  beginSkipping();
  beginTimes(arrival, ofLayout);
  beginBatch();
  beginEvents(mostLevels, longest);
  beginBlock();
  beginBody();
  beginCsvEvents(longest);
}

/** Memory for the host to write into; zeros stand behind it. */
export function room(bytes: usize): usize {
  const start = take(bytes);
  memory.fill(start + bytes, 0, SLACK);
  return start;
}

/** A field the host has named; answers its address. What is known of its texts is told as in the table of columns. */
export function newField(id: i32, allowed: i32, repeats: bool, nextLook: i32): usize {
  const field = new Field(id, allowed, repeats, nextLook);
  addField(field);
  return changetype<usize>(field);
}

/** Checks any value; answers the address behind it, or 0. */
export function skip(at: usize): usize {
  return skipValue(at, usize.MAX_VALUE);
}

/** Where the value of a cell of the row read last is, until the next one is asked for; `textLength` says how long. */
export function cellAt(index: i32): usize {
  readCell(cellTable().start + <usize>index * CELL);
  return textAt();
}
