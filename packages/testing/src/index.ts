export { startMillrace } from './start.js';
export type { Dataset, Millrace } from './millrace.js';
export type { Event } from './event.js';
export type { MatchOptions, MillraceOptions, WaitOptions } from './options.js';
export type { FieldPattern, LogPattern } from './pattern.js';
export type { SpanPattern } from './spans.js';
