import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../engine.js';
import { EngineError, UnreachableError } from '../errors.js';
import type { ClusterAddress } from '../open-cluster.js';
import { ClaimError } from '../remote-claim.js';
import { type Connection, RemoteConnection } from '../remote-connection.js';
import { ClusterEngine, type ClusterTimes } from './cluster-engine.js';
import { clusterProblem, warningsOf } from './cluster-problem.js';
import { singleProcessCoordination } from './coordination.js';
import { Replica } from './replica.js';

const usualTimes: ClusterTimes = {
  watchMilliseconds: 500,
  silentMilliseconds: 2000,
  busyMilliseconds: 15_000,
  readOnlyMilliseconds: 5000,
  stuckMilliseconds: 10_000,
  returnMilliseconds: 10_000,
  syncMilliseconds: 30_000,
  patienceMilliseconds: 8000,
  pauseMilliseconds: 50,
  closeMilliseconds: 10_000,
};
const startMilliseconds = 60_000;
const retryMilliseconds = 500;

/** Implementation of `openCluster`. */
export async function connectCluster(
  address: ClusterAddress,
  connect: (url: string) => Connection = (url) => new RemoteConnection({ ...address, url }),
): Promise<Engine> {
  const { urls, database, owner, limits, log = () => undefined, agreement = singleProcessCoordination() } = address;
  const times = { ...usualTimes, ...address.times };
  const { silentMilliseconds, busyMilliseconds } = times;
  const common = { database, owner, silentMilliseconds, busyMilliseconds, reserveBytes: address.reserveBytes };
  const replicas = urls.map((url, index) => new Replica(index, { url, connection: connect(url), ...common }));
  const engine = new ClusterEngine({ replicas, agreement, database, ownerId: owner.id, limits, times, log });
  const deadline = performance.now() + (address.startMilliseconds ?? startMilliseconds);
  try {
    await engine.start();
    for (let attempt = 0; ; attempt++) {
      await refuse(replicas);
      if (engine.health().state === 'ready') break;
      const silent = replicas.map(({ problem }) => problem).find((problem) => problem instanceof EngineError);
      const reason = silent?.detail ?? 'replicas do not become ready';
      if (performance.now() > deadline) throw new UnreachableError(reason);
      if (attempt === 0) log('warn', 'waiting for ClickHouse replicas', { reason });
      await sleep(Math.min(retryMilliseconds, times.watchMilliseconds));
      await engine.check();
    }
  } catch (error) {
    await engine.close();
    throw error;
  }
  for (const replica of replicas) replica.expectMark();
  for (const warning of warningsOf(replicas)) log('warn', warning);
  return engine;
}

/** Throws errors that waiting does not resolve. */
async function refuse(replicas: readonly Replica[]): Promise<void> {
  const problem = clusterProblem(replicas);
  if (problem !== undefined) throw problem;
  const isLost = replicas.every(({ state }) => state === 'empty');
  for (const { state, problem } of replicas) {
    if (state === 'foreign' || (state === 'empty' && isLost)) throw problem;
    const isRefusal = problem instanceof EngineError && problem.detail.startsWith('Code: ');
    if (state === 'new' && isRefusal && !(problem instanceof ClaimError)) throw problem;
  }
}
