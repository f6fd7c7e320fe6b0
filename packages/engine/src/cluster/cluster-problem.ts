import type { Replica } from './replica.js';

/** The replicas' configuration cannot be right; the message says why and how to fix it. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
}

/** With fewer replicas, inserts stop when one is unreachable. */
const enough = 3;

/** Finds an error in the configuration of the replicas that have answered. */
export function clusterProblem(replicas: readonly Replica[]): ClusterError | undefined {
  const names = new Map<string, string>();
  const shards = new Set<string>();
  for (const { url, macros } of replicas) {
    if (macros === undefined) continue;
    for (const [macro, value] of Object.entries(macros))
      if (value === '')
        return new ClusterError(`${url} has no macro {${macro}}: set one in its configuration, under <macros>`);
    const other = names.get(macros.replica);
    if (other !== undefined)
      return new ClusterError(
        `${other} and ${url} are both called ${macros.replica}: each needs a macro {replica} of its own`,
      );
    names.set(macros.replica, url);
    shards.add(macros.shard);
  }
  if (shards.size > 1)
    return new ClusterError(
      `the replicas are of several shards (${[...shards].join(', ')}): all of them need the same macro {shard}`,
    );
  return undefined;
}

/** Warnings about the replicas for the operator. */
export function warningsOf(replicas: readonly Replica[]): readonly string[] {
  if (replicas.length >= enough) return [];
  return [
    `with ${replicas.length} ClickHouse replicas no event can be stored while one of them is away: an insert has to reach ${Math.floor(replicas.length / 2) + 1} of them; use ${enough} or more`,
  ];
}
