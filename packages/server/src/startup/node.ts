import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Engine } from '@millrace/engine';
import { CloseStack } from '@millrace/runtime/async/close-stack';
import type { SharedHome } from '@millrace/metadata/postgres/shared-binding';
import { metadataName } from '@millrace/metadata/sqlite';
import { ClusterNode } from '@millrace/metadata/nodes/cluster-node';
import { isReplicated, shardAddresses } from '@millrace/http/settings/clickhouse-settings';
import { SettingError, type Settings } from '@millrace/http/settings/settings';
import { openSharedEngine, openSharedShard, type SharedShard } from './open-engine.js';
import { openSharedDatabase, explainFailure } from './open-metadata-database.js';
import type { LockedDirectory } from './types.js';
import { version } from './version.js';

/**
 * Joins a cluster: the events are in a shared ClickHouse server or in replicas, everything else is
 * in a shared PostgreSQL database. Both record their owner, so none is shared by accident.
 * @throws SettingError
 */
export const joinCluster = (settings: Settings, logger: Logger): Promise<LockedDirectory> =>
  CloseStack.run(async (opened) => {
    const { clickhouseUrl, databaseUrl } = settings;
    if (clickhouseUrl === undefined || databaseUrl === undefined)
      throw new SettingError('nodes', 'several nodes need the addresses of ClickHouse and of PostgreSQL; give both');
    requireNothingIn(resolve(settings.dataDir));
    const home = await openSharedDatabase(databaseUrl);
    opened.add(() => home.shared.close());
    const epoch = await home.nodes.enter({ name: hostname(), version });
    const election = await home.openElection(`duty ${home.cluster}`);
    const node = new ClusterNode({ nodes: home.nodes, election, epoch, logger });
    opened.add(() => node.leave());
    // From its first event on it uses the cluster's clock.
    await node.sendHeartbeat();
    await requireSamePlace(clickhouseUrl, home);
    const url = await explainFailure(databaseUrl, () => allShards(clickhouseUrl, home, epoch, logger));
    const shards: SharedShard[] = [];
    for (const [i] of shardAddresses(url).entries())
      shards.push(await shardOver(url, home, { epoch, shard: i + 1 }, opened));
    if (shards.length > 1) await explainFailure(databaseUrl, () => home.requireShards());
    const engine = openSharedEngine(settings, url, home.cluster, logger, shards).then(async (each) => {
      try {
        // Only now: other nodes use these addresses too.
        await explainFailure(databaseUrl, () => home.nodes.recordShards(shardTexts(url)));
      } catch (error) {
        await each.close();
        throw error;
      }
      node.useShards(shards.length);
      return each;
    });
    opened.add(async () => (await engine.catch(() => undefined))?.close());
    const openShard = async (text: string, number: number): Promise<Engine> => {
      const shard = await shardOver(text, home, { epoch, shard: number }, opened);
      const addresses = shardAddresses(text)[0] ?? [];
      return openSharedShard({ settings, addresses, number, cluster: home.cluster, logger, shard });
    };
    // `openEvents` reports the error.
    engine.catch(() => undefined);
    return {
      metadata: home,
      node,
      openEvents: async (base) => {
        const { openEvents } = await import('./events.js');
        return openEvents(base, { kind: 'shared', engine, node, openShard, arrivals: home.arrivals(epoch) });
      },
      release: () => opened.close(),
    };
  });

/** The addresses of each shard, as in the setting. */
const shardTexts = (url: string): readonly string[] => shardAddresses(url).map((addresses) => addresses.join(','));

/** The addresses in the setting, and those of further shards that other nodes have recorded. */
async function allShards(url: string, { nodes }: SharedHome, epoch: bigint, logger: Logger): Promise<string> {
  const own = shardTexts(url);
  const others = (await nodes.listShards(epoch, own.length)).slice(own.length);
  if (others.length > 0)
    logger.warn(
      `MILLRACE_CLICKHOUSE_URL names ${own.length} of ${own.length + others.length} shards; the others are used with the addresses that another node recorded`,
    );
  return [...own, ...others].join(';');
}

/** @throws SettingError when this node's events are in a different place than the other nodes' */
async function requireSamePlace(url: string, home: SharedHome): Promise<void> {
  const hasReplicas = isReplicated(url);
  if (!(await home.isWhereEventsAre(hasReplicas ? 'replicas' : 'server')))
    throw new SettingError(
      'clickhouseUrl',
      hasReplicas
        ? 'the events of these nodes are on one ClickHouse server; name its address alone, or begin with another PostgreSQL database'
        : 'the events of these nodes are on several ClickHouse replicas; name the addresses of all of them',
    );
}

/** The state of the cluster on a shard; opens the agreement that replicas need. */
async function shardOver(
  url: string,
  home: SharedHome,
  { epoch, shard }: { readonly epoch: bigint; readonly shard: number },
  opened: CloseStack,
): Promise<SharedShard> {
  if (!isReplicated(url)) return { known: false };
  const agreement = await home.openAgreement(home.cluster, epoch, shard);
  opened.add(() => agreement.end());
  return { known: await agreement.leaders.isAny(), agreement };
}

/** Files of a directory that contains events or metadata, which would be left behind unnoticed. */
const holdings = ['log', 'engine', metadataName, 'clickhouse.json', 'database.json'];

function requireNothingIn(directory: string): void {
  const found = holdings.find((name) => existsSync(join(directory, name)));
  if (found !== undefined)
    throw new SettingError(
      'nodes',
      `${directory} has local events or metadata (${found}), which nodes with shared ones do not read; name another directory, and move the data with millrace backup and millrace restore --nodes`,
    );
}
