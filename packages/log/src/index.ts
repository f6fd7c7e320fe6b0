export { LogError, type LogErrorCode } from './errors.js';
export type { DirectoryLock, LogFile, LogFileSystem } from './file-system.js';
export { logLimits, type LogLimits } from './limits.js';
export { openLog, type Appended, type Log, type LogOptions, type LogStats } from './log.js';
export { nodeFileSystem } from './node-file-system.js';
export type { Frame } from './read.js';
export type { Recovery, TornTail } from './recovery.js';
export { salvageLog, type LostRange, type SalvageReport } from './salvage.js';
export { verifyLog, type SegmentReport } from './verify.js';
