export { LogError, type LogErrorCode } from './errors.js';
export type { DirectoryLock, LogFile, LogFileSystem } from './file-system.js';
export { logLimits, type LogLimits } from './limits.js';
export {
  openLog,
  type Appended,
  type Frame,
  type Log,
  type LogOptions,
  type LogStats,
  type Recovery,
  type TornTail,
} from './log.js';
