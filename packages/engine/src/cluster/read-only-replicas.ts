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
export function unwritable(
  replicas: readonly Replica[],
  tables: Iterable<string>,
  database: string,
  milliseconds: number,
): string | undefined {
  const max = Math.floor(replicas.length / 2) + 1;
  const readOnly = (table: string): number =>
    replicas.filter((replica) => replica.isReady && replica.readOnlyFor(table) > milliseconds).length;
  const found = [...tables]
    .map((table) => ({ table, copies: readOnly(table) }))
    .filter(({ copies }) => replicas.length - copies < max);
  if (found.length > maxNamed)
    return `${found.length} tables take no events: most of their copies are read-only, as they are without Keeper`;
  const words = found.map(
    ({ table, copies }) =>
      `${database}.${table} takes no events: ${copies} of its ${replicas.length} copies are read-only`,
  );
  return words.length === 0 ? undefined : words.join('; ');
}
