import { setTimeout as sleep } from 'node:timers/promises';
import { durableTableSettings, type Engine, type EngineError, printSettings, shardsOf } from '@millrace/engine';
import {
  call,
  column,
  type Expr,
  integer,
  item,
  literal,
  not,
  quoteIdentifier,
  quoteString,
  select,
} from '@millrace/sql';
import { queryNumbersOfEach } from '../tables/query.js';
import { database } from '../tables/database-name.js';

/*
 * A process that hangs or is cut off may send an insert long after it was fenced. A table in the
 * engine holds a position below which no insert may begin, and each insert checks it at its start.
 * Rows are only ever added to that table, so the position only rises. With several shards, each has
 * such a table for its own inserts.
 */

const name = { database, table: 'fence' };
const quotedTable = `${quoteIdentifier(name.database)}.${quoteIdentifier(name.table)}`;
/** Text of the error of an insert that begins too late. */
const over = 'its positions were given up';
const pollMilliseconds = 100;
/** Beginning of event inserts. */
const insertHead = `INSERT INTO ${quoteIdentifier(database)}.${quoteIdentifier('d').slice(0, -1)}`;

/** Creates the fence table on each shard, unless it exists. */
export const createFence = async (engine: Engine): Promise<void> =>
  void (await Promise.all(shardsOf(engine).map(createOn)));

const createOn = (shard: Engine): Promise<void> =>
  shard.execute(
    `CREATE TABLE IF NOT EXISTS ${quotedTable} (position UInt64) ENGINE = ${shard.replication?.engineOf(name) ?? 'MergeTree'} ` +
      `ORDER BY position SETTINGS ${printSettings(durableTableSettings)}`,
    { defines: name, everywhere: true },
  );

/**
 * A condition for inserts: true unless the position is below the fence. Otherwise the insert fails,
 * and no row of it is stored.
 */
export function notFenced(first: bigint): Expr {
  const fence = select({
    columns: [item(call('max', column('position')))],
    from: { kind: 'table', database, name: name.table },
  });
  return not(call('throwIf', call('less', integer(first), { kind: 'scalarSubquery', query: fence }), literal(over)));
}

export const isFenced = (error: EngineError): boolean => error.detail.startsWith(`Code: 395. DB::Exception: ${over}`);

/**
 * Resolves when nothing below a position can be inserted into a shard any more: new inserts are
 * rejected, and those already running have ended.
 * @throws EngineError
 */
export async function fenceBelow(shard: Engine, position: bigint): Promise<void> {
  await shard.execute(`INSERT INTO ${quotedTable} VALUES (${position})`);
  await shard.replication?.spread(name, 'all');
  const before = await runningEpochs(shard);
  for (let left = before; left.length > 0; left = (await runningEpochs(shard)).filter((id) => before.includes(id)))
    await sleep(pollMilliseconds);
}

/**
 * IDs of the inserts in flight. An insert whose client is gone ends when the server's timeout for
 * its data is over.
 */
async function runningEpochs(shard: Engine): Promise<readonly bigint[]> {
  const rows = await queryNumbersOfEach(
    shard,
    `SELECT toInt64(bitShiftRight(cityHash64(query_id), 1)) FROM system.processes WHERE startsWith(query, ${quoteString(insertHead)})`,
    1,
  );
  return rows.map(([id]) => id!);
}
