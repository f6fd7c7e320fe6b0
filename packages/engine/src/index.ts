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
  Settings,
  SettingValue,
  TableName,
} from './engine.js';
export { openCluster } from './cluster.js';
export type { ClusterOptions } from './cluster-connection.js';
export { type EmbeddedOptions, openEmbedded } from './embedded.js';
export { EngineError, type EngineErrorCode } from './errors.js';
export type { Log } from './log.js';
export { durableTableSettings, preferredTableSettings, printSettings } from './settings.js';
