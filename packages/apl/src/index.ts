export { compile, compileProgram } from './compile.js';
export { dayFirstMessage } from './compiled-query.js';
export type {
  PendingLookup,
  PendingTimeRange,
  CompiledQuery,
  CompileOptions,
  Counts,
  ExternalFile,
  LookupResult,
  CompileFailure,
  OutputColumn,
  Presentation,
  CompileRequest as Question,
  Reads,
  RestOutput,
  Together,
  Totals,
} from './compiled-query.js';
export type { Need } from './model/needs.js';
export type { JsonValue } from './bind/statements.js';
export type { Catalog, Dataset, Field, RareFields, FieldVariant as Reading, Rest } from './model/catalog.js';
export type { GeoNetworks, ModelPrice, ReferenceData } from './model/reference-data.js';
export { type QueryBound, queryBounds } from './model/query-limits.js';
export { BudgetExceeded, withBudget } from './model/compile-budget.js';
export { lineAndColumn, Places } from './model/diagnostics.js';
export type { Diagnostic, Severity } from './model/diagnostics.js';
export type { DiagnosticCode } from './model/diagnostic-codes.js';
export type { ChartHint } from './operators/define.js';
export { mappedQueries } from './mapped-queries.js';
export { numberOfHash, wordHashes, wordKeys, wordPlaces } from './lower/strings/words.js';
export { shownJson } from './lower/json/json-parts.js';
export { rowIdText } from './lower/row-id.js';
export { countingSettings } from './lower/answer.js';
export { allTimes } from './lower/relations/scan.js';
export type { Position, TimeRange } from './plan/nodes.js';
export { intersectRanges } from './plan/intersect-ranges.js';
export type { AggregateInfo } from './plan/schema.js';
export { typeNameOf } from './model/result-types.js';
export type { ScalarType } from './model/types.js';
export type * as Ast from './syntax/ast.js';
export { eachRowOperators, looksAtEachRow } from './operators/index.js';
export { briefReference } from './reference/brief.js';
export { findNearest } from './syntax/hints/suggestions.js';
export { parse, parseExpression } from './syntax/parse.js';
export { complete } from './editor/complete.js';
export type { Completion, CompletionKind } from './editor/complete.js';
export { applyFix, diagnose } from './editor/diagnose.js';
export type { EditorDiagnostic, Fix, TextEdit } from './editor/diagnose.js';
export { format } from './editor/format.js';
export type { FormatResult } from './editor/format.js';
export { hover } from './editor/hover.js';
export type { Hover } from './editor/hover.js';
export { signatureHelp } from './editor/signature-help.js';
export type { SignatureHelp, SignatureInfo } from './editor/signature-help.js';
