import type { Engine } from '@millrace/engine';
import { parsePhysicalName } from '@millrace/events';
import { quoteIdentifier, quoteString } from '@millrace/sql';
import type { Logger } from 'pino';
import type { StoredDataset } from '../fields/dataset.js';
import { identityIndex, identityIndexName } from './identity-index.js';
import { queryNumbers } from './ask.js';
import { inSystem, quotedTable, tableOf } from './table-of-dataset.js';

/**
 * Finds the fields that identify something: a trace, a request, a user. A query for one of these
 * wants a few of all rows, and without an index reads the whole column for them. This is not
 * decided when a column is added, from whatever came first, but from the rows themselves, once
 * there are enough, and again when there are far more: so fields that come later and tables of
 * earlier versions get their indexes too.
 */

/**
 * Rows of each of the two pieces that are compared: as many as one entry of an index stands for.
 */
const pieceRows = 8192;
/**
 * The same for a first glance, which rules out texts that are long or always the same: `pieceRows`
 * rows of long texts could be a gigabyte.
 */
const glanceRows = 256;
/**
 * With fewer values nothing can be said, and a field that few events have is read fast without an
 * index.
 */
const fewestValues = 1024;
/**
 * Mean bytes of a value at most: enough for hashes in hexadecimal; what is longer is a message or a
 * body.
 */
const longestIdentity = 64;
/**
 * One in this many values may contain a space, and one in this many distinct values of a piece may
 * also occur in the other piece.
 */
const exceptions = 8;
/** Mean rows of a value at most, in both pieces together. */
const mostRowsOfValue = 64;
/** Most indexes of a table: each adds two files to every merged part. */
const mostIndexes = 16;

/** What the newest rows say about a column. */
export interface Figures {
  readonly values: number;
  /** Of all values together. */
  readonly bytes: number;
  readonly withSpace: number;
  /** Distinct values of the newer piece, of the older piece, and of both together. */
  readonly newer: number;
  readonly older: number;
  readonly distinct: number;
}

/** Whether a value of the column occurs in so few places that it is worth knowing where. */
export function identifies(figures: Figures): boolean {
  const { values, newer, older, distinct } = figures;
  const inBoth = newer + older - distinct;
  return mayIdentify(figures) && values >= fewestValues && inBoth * exceptions <= Math.min(newer, older);
}

/** Whether the values of a column look like identifiers, wherever they occur. */
const mayIdentify = ({ values, bytes, withSpace, distinct }: Figures): boolean =>
  values > 0 &&
  bytes <= longestIdentity * values &&
  withSpace * exceptions <= values &&
  distinct * mostRowsOfValue >= values;

/**
 * Notes that rows are being inserted, and now and then examines those already there, in the
 * background: nothing waits for it. If that fails, all answers stay what they are, and the next
 * look makes up for it.
 */
export function noteRows(engine: Engine, logger: Logger, dataset: StoredDataset, rows: number): void {
  if (!dataset.looks.due(rows)) return;
  indexIdentities(engine, dataset.id, [...dataset.tableColumns]).catch((error: unknown) =>
    logger.warn({ dataset: dataset.id, err: error }, 'fields that identify were not looked for'),
  );
}

/** Adds indexes to the columns that identify something. Parts get them when they are merged. */
export async function indexIdentities(engine: Engine, datasetId: number, columns: readonly string[]): Promise<void> {
  const texts = columns.filter((name) => parsePhysicalName(name)?.type === 'string');
  const short = thoseWhich(mayIdentify, await figuresOf(engine, datasetId, texts, glanceRows));
  const found = thoseWhich(identifies, await figuresOf(engine, datasetId, short, pieceRows));
  if (found.length === 0) return;
  const { count, known } = await indexesOf(engine, datasetId, found.map(identityIndexName));
  const missing = found.filter((_, i) => !known.has(i)).slice(0, Math.max(0, mostIndexes - count));
  await addIdentityIndexes(engine, datasetId, missing);
}

/** Adds identity indexes to string columns. */
export async function addIdentityIndexes(engine: Engine, datasetId: number, columns: readonly string[]): Promise<void> {
  if (columns.length === 0) return;
  const actions = columns.map((name) => `ADD INDEX IF NOT EXISTS ${identityIndex(name)}`);
  await engine.execute(`ALTER TABLE ${quotedTable(datasetId)} ${actions.join(', ')}`, { defines: tableOf(datasetId) });
}

const thoseWhich = (holds: (figures: Figures) => boolean, columns: ReadonlyMap<string, Figures>): readonly string[] =>
  [...columns].filter(([, figures]) => holds(figures)).map(([name]) => name);

/** What the newest rows say about columns: two pieces of `rowsOfPiece` each. */
async function figuresOf(
  engine: Engine,
  datasetId: number,
  columns: readonly string[],
  rowsOfPiece: number,
): Promise<ReadonlyMap<string, Figures>> {
  if (columns.length === 0) return new Map();
  const names = columns.map(quoteIdentifier);
  const figures = names.flatMap((name) => [
    `count(${name})`,
    `ifNull(sum(length(${name})), 0)`,
    `countIf(position(${name}, ' ') > 0)`,
    `uniqExactIf(${name}, newer)`,
    `uniqExactIf(${name}, NOT newer)`,
    `uniqExact(${name})`,
  ]);
  const rows =
    `SELECT ${names.join(', ')} FROM ${quotedTable(datasetId)} ` +
    `ORDER BY _time DESC, _seq DESC, _row DESC LIMIT ${2 * rowsOfPiece}`;
  const [found = []] = await queryNumbers(
    engine,
    `SELECT ${figures.map((figure) => `toInt64(${figure})`).join(', ')} ` +
      `FROM (SELECT *, rowNumberInAllBlocks() < ${rowsOfPiece} AS newer FROM (${rows}))`,
    figures.length,
  );
  const width = figures.length / columns.length;
  const figuresAt = (i: number): Figures => {
    const own = found.slice(i * width, (i + 1) * width).map(Number);
    const [values = 0, bytes = 0, withSpace = 0, newer = 0, older = 0, distinct = 0] = own;
    return { values, bytes, withSpace, newer, older, distinct };
  };
  return new Map(columns.map((name, i) => [name, figuresAt(i)]));
}

/**
 * How many indexes a table has, and which of the given names are among them, by their place in the
 * list.
 */
async function indexesOf(
  engine: Engine,
  datasetId: number,
  names: readonly string[],
): Promise<{ readonly count: number; readonly known: ReadonlySet<number> }> {
  const places = await queryNumbers(
    engine,
    `SELECT toInt64(indexOf([${['', ...names].map(quoteString).join(', ')}], name)) FROM system.data_skipping_indices ` +
      `WHERE ${inSystem(datasetId)}`,
    1,
  );
  // `indexOf` counts from 1, and the empty name comes before those that are given.
  return { count: places.length, known: new Set(places.map(([place]) => Number(place) - 2)) };
}
