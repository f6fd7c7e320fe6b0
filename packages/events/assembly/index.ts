import { beginBatch, earliestTime, latestTime, rollbackEvent } from './batch';
import { beginBlock, columnTable, describeColumns, layOut, writeBodies, bodiesAt } from './block';
import { beginBody, lastEventAt, readEvents, setEnd, setLabels, setRoots } from './body';
import { beginCsv, cellTable, cellsFound, openingQuote, readCell, readRow, rowAt, CELL } from './csv';
import { addColumn, beginCsvEvents, readRows, setNamedColumns } from './csv-events';
import { beginEvents } from './event';
import { currentRow } from './field';
import { setSeed } from './hash';
import { beginJoin, joinDictionary, joinPlain, joinedBytes, writeJoined } from './join';
import { hasSpilled, keptBytes } from './arena';
import { beginKeys, forgetKeys, newRoot } from './keys';
import { KnownField, beginKnownFields, newKnownField, setKnower, unreportedFields } from './known-field';
import { releaseAll, SLACK, take } from './memory';
import {
  beginMerge,
  beginPlainMerge,
  isMergedDictionary,
  mergeDictionary,
  mergePlain,
  mergedBytes,
  mergedNextLook,
  mergedRepeats,
  writeMerged,
} from './merge';
import { beginNames } from './key-names';
import { beginNumbers } from './canonical-number';
import { beginSkipping, skipValue } from './skip';
import { beginOthers, eventsWithOthers, setLongestName } from './other-fields';
import { expected, failedAt } from './source';
import { setDictionaryRows } from './columns/text-column';
import { beginTexts, textAt, textLength } from './text';
import { beginTimes, eventTime, hasTime, resetTime } from './time';

/**
 * The encoder: parses the events of a body directly into columns, and writes them in the engine's
 * format. The functions that the host calls are exported here; the host's own functions are in
 * `host.ts`. All memory of a body is released when the next one begins, except the retained keys.
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
export { beginKeys, forgetKeys, hasSpilled, keptBytes, newRoot, setRoots };
export { newKnownField, setKnower, unreportedFields };
export { eventsWithOthers, setLongestName };
export { setEnd, setLabels, readEvents, lastEventAt };
export { addColumn, setNamedColumns, beginCsv, readRow, readRows, rowAt, cellsFound, openingQuote, textLength };
export { failedAt, expected, hasTime, eventTime, resetTime, earliestTime, latestTime };
export {
  beginMerge,
  beginPlainMerge,
  mergePlain,
  mergeDictionary,
  mergedBytes,
  writeMerged,
  isMergedDictionary,
  mergedRepeats,
  mergedNextLook,
};
export { beginJoin, joinDictionary, joinPlain, joinedBytes, writeJoined };

/**
 * Called before anything else: sets the seed of hashes, and the number of rows from which on there
 * are dictionaries.
 */
export function setUp(seed: u64, dictionaryRows: i32): void {
  setSeed(seed);
  setDictionaryRows(dictionaryRows);
}

/**
 * A body begins: its limits, the time of arrival, and whether the host reads all times. For a body
 * with keys, {@link beginKeys} follows.
 */
export function begin(longest: usize, mostLevels: usize, arrival: i64, ofLayout: bool): void {
  releaseAll();
  beginTexts();
  beginSkipping();
  beginNames();
  beginNumbers();
  beginTimes(arrival, ofLayout);
  beginBatch();
  beginEvents(mostLevels, longest);
  beginBlock();
  beginBody();
  beginCsvEvents(longest);
  beginOthers();
  beginKnownFields();
}

/** Memory for the host to write into, followed by zeros. */
export function room(bytes: usize): usize {
  const start = take(bytes);
  memory.fill(start + bytes, 0, SLACK);
  return start;
}

/**
 * The address of a field in this body, created on first use. `repeats` and `nextLook` are
 * statistics of its strings, as in the table of columns.
 */
export function fieldOfBody(known: usize, allowed: i32, repeats: bool, nextLook: i32): usize {
  const own = changetype<KnownField>(known);
  const present = own.present;
  return changetype<usize>(present == null ? own.begin(allowed, repeats, nextLook) : present);
}

/** Checks any value; returns the address after it, or 0. */
export function skip(at: usize): usize {
  return skipValue(at, usize.MAX_VALUE);
}

/**
 * The address of the value of a cell in the row read last, valid until the next call; `textLength`
 * gives its length.
 */
export function cellAt(index: i32): usize {
  readCell(cellTable().start + <usize>index * CELL);
  return textAt();
}
