import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, shardsOf } from '@millrace/engine';
import { pino } from 'pino';
import { CloseStack } from '@millrace/runtime/async/close-stack';
import { quarantinedBatches } from '../backup/quarantined-in.js';
import { buildRestored, intactBackup, requireNoPatterns } from '../backup/build-restored.js';
import { withStagingDirectory } from '../backup/staging-directory.js';
import { metadataName } from '@millrace/metadata/sqlite';
import type { DatasetRef } from '@millrace/metadata/datasets';
import { isReplicated } from '@millrace/http/settings/clickhouse-settings';
import { SettingError, type Settings } from '@millrace/http/settings/settings';
import { createSharedTable } from '@millrace/storage/cluster/cluster-table';
import { orgNumberOf } from '@millrace/metadata/orgs/org-number';
import { tablesOnEach } from '@millrace/storage/tables/all-tables';
import { copyEvents } from '@millrace/storage/tables/copy-events';
import { shardTarget } from '@millrace/storage/placement';
import { layOut, layoutsOf } from '@millrace/storage/tables/layout';
import { createDatabase, dropTable } from '@millrace/storage/tables/table-of-dataset';
import { openSharedEngine } from './open-engine.js';
import { openFilledDatabase } from './open-metadata-database.js';

interface RestoreIntoNodesOptions {
  readonly backup: string;
  /** Called before each dataset is loaded. */
  readonly progress?: (dataset: string, bytes: number) => void;
  /**
   * Settings of the nodes that will be started. The events are prepared in a temporary directory
   * next to the data directory.
   */
  readonly settings: Settings;
}

/**
 * Fills the two databases that nodes share from a backup. Nodes do not start before the restore is
 * complete; an incomplete restore is restarted from scratch by the next one.
 * @returns the number of batches in the backup that an engine once rejected: nodes do not retry
 * them
 * @throws SettingError, Error with a message for the operator
 */
export const restoreIntoNodes = ({ backup, progress, settings }: RestoreIntoNodesOptions): Promise<number> =>
  CloseStack.run(async (opened) => {
    const { clickhouseUrl, databaseUrl, dataDir } = settings;
    if (clickhouseUrl === undefined || databaseUrl === undefined)
      throw new SettingError('nodes', 'several nodes need the addresses of ClickHouse and of PostgreSQL; give both');
    const target = resolve(dataDir);
    requireNoPatterns(resolve(backup), target);
    const manifest = await intactBackup(backup);
    const home = await openFilledDatabase(databaseUrl);
    opened.add(() => home.close());
    const engine = await openSharedEngine(settings, clickhouseUrl, home.cluster, pino({ level: 'silent' }), []);
    opened.add(() => engine.close());
    if (home.isAgain) for (const shard of shardsOf(engine)) await requireReplicas(shard);
    const refused = await withStagingDirectory(`${target}.restoring`, async (building) => {
      await buildRestored({
        manifest,
        backup,
        building,
        progress,
        shards: shardsOf(engine).length,
        made: (made, datasets) => {
          if (datasets.some(({ datasetId }) => orgNumberOf(datasetId) !== 0))
            throw new Error(
              'this is a backup of a further organization; restore it without --nodes, and move its events with millrace export and millrace ingest',
            );
          return fill(engine, made, datasets);
        },
      });
      const file = join(building, metadataName);
      const events = isReplicated(clickhouseUrl) ? 'replicas' : 'server';
      await home.fill(file, { events, position: BigInt(manifest.position) });
      return quarantinedBatches(file).size;
    });
    await opened.close();
    return refused;
  });

const leftSomewhere =
  'an earlier restore has left tables that could not be removed from every ClickHouse replica; run it again when all of them answer';
/** Equal to the time that startup waits for ClickHouse. */
const replicasMilliseconds = 60_000;

/**
 * Waits until all replicas are reachable. An unreachable one may have a table of an earlier
 * attempt. A new table of that name on the others would join it, and wait for events that only it
 * has.
 */
async function requireReplicas(shard: Engine): Promise<void> {
  if (shard.replication === undefined) return;
  for (const late = performance.now() + replicasMilliseconds; shard.health().reason !== undefined;) {
    if (performance.now() > late) throw new Error(`${leftSomewhere} (${shard.health().reason})`);
    await sleep(200);
  }
}

/**
 * Replaces all tables of an engine, including leftovers of an earlier attempt, by those of another
 * one.
 */
async function fill(engine: Engine, made: Engine, datasets: readonly DatasetRef[]): Promise<void> {
  await createDatabase(engine);
  for (const shard of shardsOf(engine)) {
    for (const datasetId of await tablesOnEach(shard)) await dropTable(shard, datasetId);
    if ((await tablesOnEach(shard)).size > 0) throw new Error(leftSomewhere);
  }
  for (const dataset of datasets) shardTarget(engine, dataset);
  for (const [datasetId, layout] of await layoutsOf(made)) {
    await createSharedTable(engine, datasetId, datasets.find((dataset) => dataset.datasetId === datasetId)?.kind);
    await layOut(engine, datasetId, layout);
    await copyEvents(made, engine, datasetId);
  }
}
