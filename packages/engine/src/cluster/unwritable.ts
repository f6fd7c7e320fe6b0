import type { Replica } from './replica.js';

/** So many tables are named; when Keeper is away, it is all of them. */
const mostNamed = 3;

/**
 * Words for tables that take no events because too few of their copies can be written, although the
 * replicas are there; undefined if there are none.
 *
 * @param milliseconds a copy is read-only for some time whenever it starts; one that is so for
 *   longer counts
 */
export function unwritable(
  replicas: readonly Replica[],
  tables: Iterable<string>,
  database: string,
  milliseconds: number,
): string | undefined {
  const most = Math.floor(replicas.length / 2) + 1;
  const readOnly = (table: string): number =>
    replicas.filter((replica) => replica.isReady && replica.readOnlyFor(table) > milliseconds).length;
  const found = [...tables]
    .map((table) => ({ table, copies: readOnly(table) }))
    .filter(({ copies }) => replicas.length - copies < most);
  if (found.length > mostNamed)
    return `${found.length} tables take no events: most of their copies are read-only, as they are without Keeper`;
  const words = found.map(
    ({ table, copies }) =>
      `${database}.${table} takes no events: ${copies} of its ${replicas.length} copies are read-only`,
  );
  return words.length === 0 ? undefined : words.join('; ');
}
