/** The parts that another query language shares: the entry `@millrace/apl/positions`. */
export type { Severity } from './model/diagnostics.js';
export type { Span } from './syntax/scalar-nodes.js';
export { findNearest } from './syntax/hints/suggestions.js';
export { readRegex } from './functions/re2.js';
export type { Completion } from './editor/complete.js';
export type { Hover } from './editor/hover.js';
export type { Fix } from './editor/diagnose.js';
export { sameTree } from './editor/same-tree.js';
