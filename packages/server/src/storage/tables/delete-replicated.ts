import { type Engine, EngineError } from '@millrace/engine';
import { and, call, column, type Expr, item, literal, printExpr, printQuery, type Query, select } from '@millrace/sql';
import { queryNumbers } from './ask.js';
import type { QueriedEvents } from './delete-matching.js';
import { plainCondition } from './plain-condition.js';
import { quotedTable } from './table-of-dataset.js';

/**
 * Deletions where tables are replicated. Each replica would compute an inner query of a deletion by
 * itself, over whatever it has at that time, so there must be none: either the condition of the
 * query becomes that of the deletion, or the events are named.
 */

/** Keeper holds the statement of a deletion; an entry of its may have a million bytes. */
const mostBytes = 500_000;
const eventsOfStatement = 20_000;
/** Naming so many takes minutes. */
const mostNamed = 500_000;

/**
 * Deletes exactly the events that came with batches up to a position.
 * @param rows how many they are
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
  if (rows > mostNamed) throw new EngineError('too-complex', `the deletion would have to name ${rows} events`);
  for (const some of await idsOf(engine, events, upTo, bounds))
    await deleteWhere(engine, datasetId, `(_seq, _row) IN (${some.join(', ')})`);
}

/**
 * Whether a condition is about as many events without the bounds, so about the same ones, and fits
 * into a deletion.
 */
async function holdsForAll(engine: Engine, datasetId: number, condition: string, rows: number): Promise<boolean> {
  if (Buffer.byteLength(condition) > mostBytes) return false;
  const sql = `SELECT toInt64(count()) FROM ${quotedTable(datasetId)} WHERE ${condition}`;
  return (await queryNumbers(engine, sql, 1))[0]?.[0] === BigInt(rows);
}

/** The events by batch and row, as written in statements, in as many pieces as there have to be. */
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
