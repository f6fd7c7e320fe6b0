export { parseTimestamp, parseTimestampText } from './detect.js';
export { epochToNanoseconds, parseEpoch } from './epoch.js';
export { formatRfc3339 } from './format.js';
export { compileGoLayout, GoLayoutError } from './go-layout.js';
export type { GoLayout } from './go-layout.js';
export { civilFromDays, daysFromCivil, daysInMonth, isLeapYear, toNanoseconds } from './calendar.js';
export type { CivilDate } from './calendar.js';
