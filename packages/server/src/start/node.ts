import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { Opened } from '../async/opened.js';
import type { SharedHome } from '../metadata/postgres/shared-home.js';
import { metadataName } from '../metadata/sqlite.js';
import { Member } from '../nodes/member.js';
import { isReplicated, shardAddresses } from '../settings/clickhouse-settings.js';
import { SettingError, type Settings } from '../settings/settings.js';
import { openSharedEngine, type SharedShard } from './open-engine.js';
import { openSharedHomeOrSay, orSay } from './open-home.js';
import type { HeldDirectory } from './parts.js';
import { version } from './version.js';

/**
 * Takes part in what several processes share: the events in a ClickHouse server or in replicas,
 * everything else in a PostgreSQL database. Both say whose they are, so none of them is shared by
 * accident.
 * @throws SettingError
 */
export const takeNode = (settings: Settings, logger: Logger): Promise<HeldDirectory> =>
  Opened.during(async (opened) => {
    const { clickhouseUrl, databaseUrl } = settings;
    if (clickhouseUrl === undefined || databaseUrl === undefined)
      throw new SettingError('nodes', 'several nodes need the addresses of ClickHouse and of PostgreSQL; give both');
    requireNothingIn(resolve(settings.dataDir));
    const home = await openSharedHomeOrSay(databaseUrl);
    opened.add(() => home.shared.close());
    const epoch = await home.nodes.enter({ name: hostname(), version });
    const duty = await home.openDuty(`duty ${home.cluster}`);
    const node = new Member({ nodes: home.nodes, duty, epoch, logger });
    opened.add(() => node.leave());
    // From its first event on it goes by the clock of all.
    await node.beat();
    await requireSamePlace(clickhouseUrl, home);
    const shards: SharedShard[] = [];
    for (const [i] of shardAddresses(clickhouseUrl).entries())
      shards.push(await shardOver(clickhouseUrl, home, { epoch, shard: i + 1 }, opened));
    if (shards.length > 1) await orSay(databaseUrl, () => home.requireShards());
    const engine = openSharedEngine(settings, clickhouseUrl, home.cluster, logger, shards);
    opened.add(async () => (await engine.catch(() => undefined))?.close());
    // Whoever opens the events hears why it did not start.
    engine.catch(() => undefined);
    return {
      metadata: home,
      node,
      openEvents: async (base) => {
        const { openEvents } = await import('./events.js');
        return openEvents(base, { kind: 'shared', engine, node, arrivals: home.arrivals(epoch) });
      },
      release: () => opened.close(),
    };
  });

/** @throws SettingError when this node looks for the events elsewhere than the others */
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

/** What nodes are together on a shard: over replicas there is something to agree on. */
async function shardOver(
  url: string,
  home: SharedHome,
  { epoch, shard }: { readonly epoch: bigint; readonly shard: number },
  opened: Opened,
): Promise<SharedShard> {
  if (!isReplicated(url)) return { known: false };
  const agreement = await home.openAgreement(home.cluster, epoch, shard);
  opened.add(() => agreement.end());
  return { known: await agreement.homes.isAny(), agreement };
}

/** What a directory has that holds events or metadata. They would be left behind unseen. */
const holdings = ['log', 'engine', metadataName, 'clickhouse.json', 'database.json'];

function requireNothingIn(directory: string): void {
  const found = holdings.find((name) => existsSync(join(directory, name)));
  if (found !== undefined)
    throw new SettingError(
      'nodes',
      `${directory} has events or metadata of its own (${found}), which nodes that share theirs do not see; name another directory, and bring everything over with millrace backup and millrace restore --nodes`,
    );
}
