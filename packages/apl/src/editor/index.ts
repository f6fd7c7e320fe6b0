/** What an editor needs, without what only a server does: the entry `@millrace/apl/editor`. */
export { complete } from './complete.js';
export type { Completion } from './complete.js';
export { applyFix, diagnose } from './diagnose.js';
export type { EditorDiagnostic, Fix, TextEdit } from './diagnose.js';
export { format } from './format.js';
export { hover } from './hover.js';
export type { Hover } from './hover.js';
export { tokensOf } from './place.js';
export { signatureHelp } from './signature-help.js';
export type { SignatureHelp } from './signature-help.js';
export { parse } from '../syntax/parse.js';
export type { Catalogue, Dataset, Field } from '../catalogue.js';
export type { ScalarType } from '../types.js';
export type * as Ast from '../syntax/ast.js';
