import type { Replica } from './replica.js';

/** How many tables a message names; without Keeper all are affected. */
const maxNamed = 3;

/**
 * Message about tables that cannot be written because too few of their copies can, although the
 * replicas answer; undefined if there are none.
 *
 * @param milliseconds a copy is read-only for some time whenever it starts; one that is read-only
 * for longer counts
 */
export function findReadOnlyTables(
  replicas: readonly Replica[],
  tables: Iterable<string>,
  database: string,
  milliseconds: number,
): { readonly reason: string; readonly areAll: boolean } | undefined {
  const max = Math.floor(replicas.length / 2) + 1;
  const readOnly = (table: string): number =>
    replicas.filter((replica) => replica.isReady && replica.readOnlyFor(table) > milliseconds).length;
  const all = [...tables];
  const found = all
    .map((table) => ({ table, copies: readOnly(table) }))
    .filter(({ copies }) => replicas.length - copies < max);
  if (found.length === 0) return undefined;
  const areAll = found.length === all.length;
  if (found.length > maxNamed) {
    const reason = `${found.length} tables take no events: most of their copies are read-only, as they are without Keeper`;
    return { reason, areAll };
  }
  const words = found.map(
    ({ table, copies }) =>
      `${database}.${table} takes no events: ${copies} of its ${replicas.length} copies are read-only`,
  );
  return { reason: words.join('; '), areAll };
}
