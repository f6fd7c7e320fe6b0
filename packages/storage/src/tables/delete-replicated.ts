import { type Engine, EngineError } from '@millrace/engine';
import { and, call, column, type Expr, item, literal, printExpr, printQuery, type Query, select } from '@millrace/sql';
import { queryNumbers } from './query.js';
import type { QueriedEvents } from './delete-matching.js';
import { plainCondition } from './simple-condition.js';
import { quotedTable } from './table-of-dataset.js';

/**
 * Deletions where tables are replicated. Each replica would compute a subquery of a deletion
 * separately, over its rows at that time, so there must be none: either the condition of the query
 * becomes the condition of the deletion, or the events are named by ID.
 */

/** Keeper stores the statement of a deletion; an entry may have a million bytes. */
const maxBytes = 500_000;
const eventsOfStatement = 20_000;
/** Deleting more events by ID takes minutes. */
const maxNamed = 500_000;

/**
 * Deletes exactly the matching events of batches up to a position.
 * @param rows their number
 */
export async function deleteReplicated(
  engine: Engine,
  datasetId: number,
  events: QueriedEvents,
  { upTo, bounds, rows }: { readonly upTo: bigint; readonly bounds: object; readonly rows: number },
): Promise<void> {
  const upToThere = call('lessOrEquals', column('_seq'), literal(upTo));
  const plain = plainCondition(events.query);
  const condition = plain && printExpr(and(upToThere, plain));
  if (condition !== undefined && (await holdsForAll(engine, datasetId, condition, rows)))
    return deleteWhere(engine, datasetId, condition);
  if (rows > maxNamed) throw new EngineError('too-complex', `the deletion would have to name ${rows} events`);
  for (const some of await idsOf(engine, events, upTo, bounds))
    await deleteWhere(engine, datasetId, `(_seq, _row) IN (${some.join(', ')})`);
}

/**
 * Whether a condition matches as many events without the bounds, so the same ones, and fits into a
 * deletion.
 */
async function holdsForAll(engine: Engine, datasetId: number, condition: string, rows: number): Promise<boolean> {
  if (Buffer.byteLength(condition) > maxBytes) return false;
  const sql = `SELECT toInt64(count()) FROM ${quotedTable(datasetId)} WHERE ${condition}`;
  return (await queryNumbers(engine, sql, 1))[0]?.[0] === BigInt(rows);
}

/**
 * The events by batch and row, as written in statements, divided into as many statements as needed.
 */
async function idsOf(
  engine: Engine,
  { query, rowId }: QueriedEvents,
  upTo: bigint,
  bounds: object,
): Promise<readonly (readonly string[])[]> {
  const number = (name: string): Expr => call('toInt64', column(name));
  const ids: Query = select({
    columns: [item(number(rowId.seq), 'seq'), item(number(rowId.row), 'row')],
    from: { kind: 'subquery', query },
    where: call('lessOrEquals', column(rowId.seq), literal(upTo)),
    settings: { ...bounds },
  });
  const found = await queryNumbers(engine, printQuery(ids), 2);
  const named = found.map(([seq, row]) => `(${seq}, ${row})`);
  return Array.from({ length: Math.ceil(named.length / eventsOfStatement) }, (_, i) =>
    named.slice(i * eventsOfStatement, (i + 1) * eventsOfStatement),
  );
}

const deleteWhere = (engine: Engine, datasetId: number, condition: string): Promise<void> =>
  engine.execute(`DELETE FROM ${quotedTable(datasetId)} WHERE ${condition}`, { apart: 'deletion' });
