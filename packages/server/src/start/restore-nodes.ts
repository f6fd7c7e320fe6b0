import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, shardsOf } from '@millrace/engine';
import { pino } from 'pino';
import { Opened } from '../async/opened.js';
import { refusedIn } from '../durability/refused-in.js';
import { buildRestored, intactBackup, requireNoPatterns } from '../durability/build-restored.js';
import { inWorkplace } from '../durability/workplace.js';
import { metadataName } from '../metadata/sqlite.js';
import type { DatasetRef } from '../metadata/datasets.js';
import { isReplicated } from '../settings/clickhouse-settings.js';
import { SettingError, type Settings } from '../settings/settings.js';
import { createSharedTable } from '../storage/shared/shared-table.js';
import { tablesOnEach } from '../storage/tables/all-tables.js';
import { copyEvents } from '../storage/tables/copy-events.js';
import { placed } from '../storage/placement.js';
import { layOut, layoutsOf } from '../storage/tables/layout.js';
import { createDatabase, dropTable } from '../storage/tables/table-of-dataset.js';
import { openSharedEngine } from './open-engine.js';
import { openFilledHomeOrSay } from './open-home.js';

interface RestoreIntoNodesOptions {
  readonly backup: string;
  /** Called before each dataset is loaded. */
  readonly progress?: (dataset: string, bytes: number) => void;
  /**
   * Those of the nodes that are to be started. Beside the data directory the events are made ready,
   * and nothing stays there.
   */
  readonly settings: Settings;
}

/**
 * Fills the two databases that nodes share from a backup. No node starts before all of it is there;
 * one that did not come to the end is begun anew by the next.
 * @returns how many batches the backup has that an engine once refused: nodes do not try them again
 * @throws SettingError, Error with a message for the operator
 */
export const restoreIntoNodes = ({ backup, progress, settings }: RestoreIntoNodesOptions): Promise<number> =>
  Opened.during(async (opened) => {
    const { clickhouseUrl, databaseUrl, dataDir } = settings;
    if (clickhouseUrl === undefined || databaseUrl === undefined)
      throw new SettingError('nodes', 'several nodes need the addresses of ClickHouse and of PostgreSQL; give both');
    const target = resolve(dataDir);
    requireNoPatterns(resolve(backup), target);
    const manifest = await intactBackup(backup);
    const home = await openFilledHomeOrSay(databaseUrl);
    opened.add(() => home.close());
    const engine = await openSharedEngine(settings, clickhouseUrl, home.cluster, pino({ level: 'silent' }), []);
    opened.add(() => engine.close());
    if (home.isAgain) for (const shard of shardsOf(engine)) await requireReplicas(shard);
    const refused = await inWorkplace(`${target}.restoring`, async (building) => {
      await buildRestored({
        manifest,
        backup,
        building,
        progress,
        shards: shardsOf(engine).length,
        made: (made, datasets) => fill(engine, made, datasets),
      });
      const file = join(building, metadataName);
      const events = isReplicated(clickhouseUrl) ? 'replicas' : 'server';
      await home.fill(file, { events, position: BigInt(manifest.position) });
      return refusedIn(file).size;
    });
    await opened.close();
    return refused;
  });

const leftSomewhere =
  'an earlier restore has left tables that could not be removed from every ClickHouse replica; run it again when all of them answer';
/** As long as a start waits for ClickHouse. */
const replicasMilliseconds = 60_000;

/**
 * Waits until all replicas answer. One that is away may have a table of an earlier attempt. What is
 * made under that name on the others would join it, and wait for events that only it has.
 */
async function requireReplicas(shard: Engine): Promise<void> {
  if (shard.replication === undefined) return;
  for (const late = performance.now() + replicasMilliseconds; shard.health().reason !== undefined;) {
    if (performance.now() > late) throw new Error(`${leftSomewhere} (${shard.health().reason})`);
    await sleep(200);
  }
}

/** Gives an engine all tables of another one, in place of what an earlier attempt has left. */
async function fill(engine: Engine, made: Engine, datasets: readonly DatasetRef[]): Promise<void> {
  await createDatabase(engine);
  for (const shard of shardsOf(engine)) {
    for (const datasetId of await tablesOnEach(shard)) await dropTable(shard, datasetId);
    if ((await tablesOnEach(shard)).size > 0) throw new Error(leftSomewhere);
  }
  for (const dataset of datasets) placed(engine, dataset);
  for (const [datasetId, layout] of await layoutsOf(made)) {
    await createSharedTable(engine, datasetId);
    await layOut(engine, datasetId, layout);
    await copyEvents(made, engine, datasetId);
  }
}
