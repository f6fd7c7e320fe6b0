import type { Engine } from '@millrace/engine';
import { quoteIdentifier } from '@millrace/sql';
import { queryNumbers, queryRows } from './query.js';
import { inSystem, quotedTable, tableOf } from './table-of-dataset.js';
import { tableSize } from './table-size.js';

/** Limits of one chunk, which is in memory as serialized bytes. */
const bytesAtOnce = 32 * 1024 * 1024;
const maxRows = 200_000;
const minRows = 1000;

/**
 * Copies the events of a dataset into the table that another engine has for it, in chunks, in the
 * order in which they are stored. Both tables have the same columns, and the other one is empty.
 * @throws EngineError when a chunk may have been stored or not: the caller has to recreate the
 * other table
 */
export async function copyEvents(from: Engine, to: Engine, datasetId: number): Promise<void> {
  const columns = await queryRows<[name: string, type: string]>(
    from,
    `SELECT name, type FROM system.columns WHERE ${inSystem(datasetId)} ORDER BY position`,
  );
  const names = columns.map(([name]) => quoteIdentifier(name)).join(', ');
  const rows = await rowsAtOnce(from, datasetId);
  let behind = 'true';
  for (let piece = 1, isMore = true; isMore; piece++) {
    const end = await placeOf(from, datasetId, behind, rows);
    isMore = end !== undefined;
    const upTo = end === undefined ? 'true' : `NOT (${isBehind(end)})`;
    const sql = `SELECT ${names} FROM ${quotedTable(datasetId)} WHERE (${behind}) AND (${upTo}) ORDER BY ${order}`;
    const { body } = await from.query(sql, { format: 'Native' });
    if (body.byteLength > 0)
      await to.insert({
        table: tableOf(datasetId),
        columns: columns.map(([name, type]) => ({ name, type })),
        chunks: [body],
        token: `copy of ${datasetId}, ${piece}`,
      });
    if (end !== undefined) behind = isBehind(end);
  }
}

const order = '_time, _seq, _row';
type Place = readonly [time: bigint, seq: bigint, row: bigint];

/** A condition for rows after a place, which uses the primary key. */
const isBehind = ([time, seq, row]: Place): string => {
  const at = `fromUnixTimestamp64Nano(${time}, 'UTC')`;
  return `_time >= ${at} AND (_time > ${at} OR (_seq, _row) > (${seq}, ${row}))`;
};

/** The last of this many rows; undefined if there are fewer. */
async function placeOf(engine: Engine, datasetId: number, condition: string, rows: number): Promise<Place | undefined> {
  const [place] = await queryNumbers(
    engine,
    `SELECT toUnixTimestamp64Nano(_time), toInt64(_seq), toInt64(_row) FROM ${quotedTable(datasetId)} ` +
      `WHERE ${condition} ORDER BY ${order} LIMIT 1 OFFSET ${rows - 1}`,
    3,
  );
  return place as Place | undefined;
}

async function rowsAtOnce(engine: Engine, datasetId: number): Promise<number> {
  const { rows, rawBytes } = await tableSize(engine, datasetId);
  const each = rows === 0 ? 1 : rawBytes / rows;
  return Math.max(minRows, Math.min(maxRows, Math.floor(bytesAtOnce / each)));
}
