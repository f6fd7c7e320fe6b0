/** Functions for editors, without those for servers: the entry `@millrace/apl/editor`. */
export { complete } from './complete.js';
export type { Completion } from './complete.js';
export { applyFix, diagnose } from './diagnose.js';
export type { EditorDiagnostic, Fix, TextEdit } from './diagnose.js';
export { editorCatalog } from './editor-catalog.js';
export type { EditorDataset, EditorNames } from './editor-catalog.js';
export { format } from './format.js';
export { hover } from './hover.js';
export type { Hover } from './hover.js';
export { tokensOf } from './place.js';
export { signatureHelp } from './signature-help.js';
export type { SignatureHelp } from './signature-help.js';
export { operatorNames } from '../syntax/operator-names.js';
export { parse } from '../syntax/parse.js';
export type { Catalog, Dataset, Field } from '../model/catalog.js';
export type { ScalarType } from '../model/types.js';
export type * as Ast from '../syntax/ast.js';
