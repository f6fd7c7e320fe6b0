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
import { queryNumbersOfEach } from '../tables/ask.js';
import { database } from '../tables/database-name.js';

/*
 * A process that hangs or is cut off may send an insert long after everybody has given it up. A
 * table of the engine holds a position below which no insert may begin, and each insert looks there
 * as it begins. Rows are only ever added to that table, so the position only rises. Of several
 * shards each has such a table, which is about what comes in there.
 */

const name = { database, table: 'fence' };
const quoted = `${quoteIdentifier(name.database)}.${quoteIdentifier(name.table)}`;
/** Text of the error of an insert that begins too late. */
const over = 'its positions were given up';
const pollMilliseconds = 100;
/** How inserts of events begin. */
const insertHead = `INSERT INTO ${quoteIdentifier(database)}.${quoteIdentifier('d').slice(0, -1)}`;

/** Makes the table unless it is there, on each shard. */
export const createFence = async (engine: Engine): Promise<void> =>
  void (await Promise.all(shardsOf(engine).map(createOn)));

const createOn = (shard: Engine): Promise<void> =>
  shard.execute(
    `CREATE TABLE IF NOT EXISTS ${quoted} (position UInt64) ENGINE = ${shard.replication?.engineOf(name) ?? 'MergeTree'} ` +
      `ORDER BY position SETTINGS ${printSettings(durableTableSettings)}`,
    { defines: name, everywhere: true },
  );

/**
 * A condition for inserts: true while nothing at or above a position was given up. Otherwise the
 * insert fails, and nothing of it is stored.
 */
export function notGivenUp(first: bigint): Expr {
  const fence = select({
    columns: [item(call('max', column('position')))],
    from: { kind: 'table', database, name: name.table },
  });
  return not(call('throwIf', call('less', integer(first), { kind: 'scalarSubquery', query: fence }), literal(over)));
}

export const isGivenUp = (error: EngineError): boolean => error.detail.startsWith(`Code: 395. DB::Exception: ${over}`);

/**
 * Resolved when nothing below a position can come into a shard any more: no insert with one begins,
 * and those that had begun are over.
 * @throws EngineError
 */
export async function giveUpBelow(shard: Engine, position: bigint): Promise<void> {
  await shard.execute(`INSERT INTO ${quoted} VALUES (${position})`);
  await shard.replication?.spread(name, 'all');
  const before = await running(shard);
  for (let left = before; left.length > 0; left = (await running(shard)).filter((id) => before.includes(id)))
    await sleep(pollMilliseconds);
}

/**
 * Numbers of the inserts that are under way. One that a client has left without a word ends when
 * the server has waited for it in vain.
 */
async function running(shard: Engine): Promise<readonly bigint[]> {
  const rows = await queryNumbersOfEach(
    shard,
    `SELECT toInt64(bitShiftRight(cityHash64(query_id), 1)) FROM system.processes WHERE startsWith(query, ${quoteString(insertHead)})`,
    1,
  );
  return rows.map(([id]) => id!);
}
