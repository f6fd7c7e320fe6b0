export type {
  EngineColumn,
  Engine,
  EngineHealth,
  EngineState,
  ExecuteOptions,
  Insert,
  InsertColumn,
  MovedRows,
  OutputFormat,
  Priority,
  EngineResult,
  QueryLimits,
  QueryOptions,
  QueryStatistics,
  Replication,
  Settings,
  SettingValue,
  Sharding,
  TableName,
} from './engine.js';
export { type EmbeddedOptions, openEmbedded } from './embedded-engine.js';
export { EngineError, type EngineErrorCode, hasEnded, type Outcome, UnreachableError } from './errors.js';
export type { Log } from './log.js';
export { isPattern, patternProblem } from './pattern-path.js';
export { type ClusterAddress, openCluster } from './open-cluster.js';
export { ClusterError } from './cluster/cluster-problem.js';
export type { Coordination, RemovedTables } from './cluster/coordination.js';
export { type Leader, type Leaders, type ReachabilityVotes, tableGroups } from './cluster/leaders.js';
export { ShardedEngine, UnknownShardError } from './shards/sharded-engine.js';
export { shardOf, shardsOf } from './shards/select-shards.js';
export { engineOfTenant } from './shards/tenant-engine.js';
export { openRemote } from './open-remote.js';
export type { RemoteOptions } from './remote.js';
export { ClaimError, type ClaimProblem, minVersion } from './remote-claim.js';
export { durableTableSettings, preferredTableSettings, printSettings, replicatedTableSettings } from './settings.js';
export { bucketDirectory, coldDisk, coldPolicy, type ColdStorage, coldVolume } from './object-storage.js';
