export type {
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
export { EngineError, type EngineErrorCode } from './errors.js';
