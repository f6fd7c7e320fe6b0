import { type Engine, shardsOf } from '@millrace/engine';
import type { Logger } from 'pino';
import type { ClusterNode } from '@millrace/metadata/nodes/cluster-node';
import { failureDetail } from '@millrace/storage/failure-detail';

interface LearnShardsDependencies {
  readonly node: Pick<ClusterNode, 'useShards'>;
  readonly engine: Engine;
  readonly storage: { addShard(shard: Engine): Promise<void> };
  /** @throws SettingError, Error when the shard is unreachable */
  readonly openShard: (addresses: string, number: number) => Promise<Engine>;
  readonly logger: Logger;
  /** Milliseconds before a failed attempt is repeated. Default: a minute. */
  readonly pause?: number;
}

/**
 * Returns a function that adds the shards that other nodes have recorded, one after the other. It
 * never rejects: a shard that fails is tried again with a later heartbeat.
 */
export function learnShards({
  node,
  engine,
  storage,
  openShard,
  logger,
  pause = 60_000,
}: LearnShardsDependencies): (addresses: readonly string[]) => Promise<void> {
  let isBusy = false;
  let notBefore = 0;
  return async (addresses) => {
    if (isBusy || performance.now() < notBefore) return;
    isBusy = true;
    const number = shardsOf(engine).length + 1;
    let opened: Engine | undefined;
    try {
      opened = await openShard(addresses[number - 1] ?? '', number);
      await storage.addShard(opened);
      node.useShards(number);
      logger.info({ shard: number }, 'another node has added a shard; this node uses it too');
    } catch (error) {
      notBefore = performance.now() + pause;
      if (!shardsOf(engine).includes(opened ?? engine)) await opened?.close();
      logger.warn({ shard: number, ...failureDetail(error) }, 'could not use a shard that another node has added');
    } finally {
      isBusy = false;
    }
  };
}
