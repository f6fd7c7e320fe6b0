import type { Engine } from '@millrace/engine';
import { parsePhysicalName } from '@millrace/events';
import { quoteIdentifier, quoteString } from '@millrace/sql';
import type { Logger } from 'pino';
import type { StoredDataset } from '../fields/dataset.js';
import { identityIndex, identityIndexName } from './identifier-index.js';
import { queryNumbers } from './query.js';
import { inSystem, quotedTable, tableOf } from './table-of-dataset.js';

/**
 * Finds identifier fields: IDs of traces, requests, users. A query for an ID needs a few of all
 * rows, and without an index reads the whole column for them. This is decided not when a column is
 * added, from its first values, but from the stored rows, once there are enough, and again when
 * there are far more: so later fields and tables of earlier versions get their indexes too.
 */

/** Rows of each of the two chunks that are compared: as many as an index granule has. */
const pieceRows = 8192;
/**
 * Rows of each chunk in a first check, which excludes columns whose texts are long or always the
 * same: `pieceRows` rows of long texts could be a gigabyte.
 */
const glanceRows = 256;
/** Minimum values for a decision; a field in few events is read fast without an index. */
const fewestValues = 1024;
/**
 * Maximum mean length of a value in bytes: enough for hashes in hexadecimal; longer values are
 * messages or bodies.
 */
const longestIdentity = 64;
/**
 * Maximum share of values with a space, as 1/n, and of distinct values of a chunk that also occur
 * in the other chunk.
 */
const exceptions = 8;
/** Maximum mean rows per value, in both chunks together. */
const maxRowsOfValue = 64;
/** Maximum indexes of a table: each adds two files to every merged part. */
const maxIndexes = 16;

/** Statistics of a column in the newest rows. */
export interface ColumnCardinality {
  readonly values: number;
  /** Of all values together. */
  readonly bytes: number;
  readonly withSpace: number;
  /** Distinct values of the newer chunk, of the older chunk, and of both together. */
  readonly newer: number;
  readonly older: number;
  readonly distinct: number;
}

/** Whether a value of the column occurs in so few granules that an index is worth it. */
export function isIdentifier(figures: ColumnCardinality): boolean {
  const { values, newer, older, distinct } = figures;
  const inBoth = newer + older - distinct;
  return mayIdentify(figures) && values >= fewestValues && inBoth * exceptions <= Math.min(newer, older);
}

/** Whether the values of a column look like identifiers, ignoring where they occur. */
const mayIdentify = ({ values, bytes, withSpace, distinct }: ColumnCardinality): boolean =>
  values > 0 &&
  bytes <= longestIdentity * values &&
  withSpace * exceptions <= values &&
  distinct * maxRowsOfValue >= values;

/**
 * Counts rows being inserted, and occasionally scans the stored ones for identifier fields, in the
 * background. A failure changes no result; the next scan makes up for it.
 */
export function recordRows(engine: Engine, logger: Logger, dataset: StoredDataset, rows: number): void {
  if (!dataset.looks.isDue(rows)) return;
  indexIdentities(engine, dataset.id, [...dataset.tableColumns]).catch((error: unknown) =>
    logger.warn({ dataset: dataset.id, err: error }, 'scan for identifier fields failed'),
  );
}

/** Adds indexes to identifier columns. Parts get them when they are merged. */
export async function indexIdentities(engine: Engine, datasetId: number, columns: readonly string[]): Promise<void> {
  const texts = columns.filter((name) => parsePhysicalName(name)?.type === 'string');
  const short = thoseWhich(mayIdentify, await figuresOf(engine, datasetId, texts, glanceRows));
  const found = thoseWhich(isIdentifier, await figuresOf(engine, datasetId, short, pieceRows));
  if (found.length === 0) return;
  const { count, known } = await indexesOf(engine, datasetId, found.map(identityIndexName));
  const missing = found.filter((_, i) => !known.has(i)).slice(0, Math.max(0, maxIndexes - count));
  await addIdentityIndexes(engine, datasetId, missing);
}

/** Adds identity indexes to string columns. */
export async function addIdentityIndexes(engine: Engine, datasetId: number, columns: readonly string[]): Promise<void> {
  if (columns.length === 0) return;
  const actions = columns.map((name) => `ADD INDEX IF NOT EXISTS ${identityIndex(name)}`);
  await engine.execute(`ALTER TABLE ${quotedTable(datasetId)} ${actions.join(', ')}`, { defines: tableOf(datasetId) });
}

const thoseWhich = (
  holds: (figures: ColumnCardinality) => boolean,
  columns: ReadonlyMap<string, ColumnCardinality>,
): readonly string[] => [...columns].filter(([, figures]) => holds(figures)).map(([name]) => name);

/** Statistics of columns in the newest rows: two chunks of `rowsOfPiece` each. */
async function figuresOf(
  engine: Engine,
  datasetId: number,
  columns: readonly string[],
  rowsOfPiece: number,
): Promise<ReadonlyMap<string, ColumnCardinality>> {
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
  const figuresAt = (i: number): ColumnCardinality => {
    const own = found.slice(i * width, (i + 1) * width).map(Number);
    const [values = 0, bytes = 0, withSpace = 0, newer = 0, older = 0, distinct = 0] = own;
    return { values, bytes, withSpace, newer, older, distinct };
  };
  return new Map(columns.map((name, i) => [name, figuresAt(i)]));
}

/** How many indexes a table has, and which of the given names are among them, by position. */
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
  // `indexOf` counts from 1, and the empty name comes before the given names.
  return { count: places.length, known: new Set(places.map(([place]) => Number(place) - 2)) };
}
