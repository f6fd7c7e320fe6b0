export type {
  AnswerColumn,
  Engine,
  EngineHealth,
  EngineState,
  ExecuteOptions,
  Insert,
  InsertColumn,
  OutputFormat,
  Priority,
  QueryAnswer,
  QueryLimits,
  QueryOptions,
  QueryStatistics,
  Replication,
  Settings,
  SettingValue,
  Sharding,
  TableName,
} from './engine.js';
export { type EmbeddedOptions, openEmbedded } from './embedded.js';
export { EngineError, type EngineErrorCode, hasEnded, type Outcome, UnreachableError } from './errors.js';
export type { Log } from './log.js';
export { isPattern, patternProblem } from './pattern-path.js';
export { type ClusterAddress, openCluster } from './open-cluster.js';
export { ClusterError } from './cluster/cluster-problem.js';
export type { Agreement, RemovedTables } from './cluster/agreement.js';
export { type Home, type Homes, tableClasses, type Votes } from './cluster/homes.js';
export { ShardedEngine } from './shards/sharded-engine.js';
export { shardOf, shardsOf } from './shards/shards-of.js';
export { openRemote } from './open-remote.js';
export type { RemoteOptions } from './remote.js';
export { ClaimError, type ClaimProblem, leastVersion } from './remote-claim.js';
export { durableTableSettings, preferredTableSettings, printSettings, replicatedTableSettings } from './settings.js';
export { bucketDirectory, coldDisk, coldPolicy, type ColdStorage, coldVolume } from './cold.js';
