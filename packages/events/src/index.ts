export { OTHER_FIELD } from './select-fields.js';
export type { Block, BlockColumn } from './blocks/block.js';
export { BlockError, deserializeBlock, serializeBlock } from './blocks/block-bytes.js';
export { OutOfMemoryError, coreModule, setCoreModule } from './core.js';
export type { Module as CoreModule } from './web-assembly.js';
export { ColumnBudget, DEFAULT_BUDGET } from './column-budget.js';
export type { BudgetLimits } from './column-budget.js';
export { valuesIn } from './columns/native-values.js';
export { DictionaryHints } from './columns/dictionary-heuristics.js';
export * from './csv/index.js';
export { encodeCsv } from './encode-csv.js';
export type { CsvOptions } from './encode-csv.js';
export { encodeJson } from './encode-json.js';
export { LabelsError } from './encode.js';
export type { Drop, EncodeOptions, EncodeResult, Envelope, Failure, LockedSchema } from './encode.js';
export {
  DICTIONARY_STRING,
  FIELD_STORAGE,
  FIELD_TYPES,
  OVERFLOW_COLUMN,
  TIME_COLUMN,
  parsePhysicalName,
  typeOfMark,
  physicalName,
  storedName,
} from './fields.js';
export type { KnownOverflowFields as Familiar } from './known-overflow-fields.js';
export type { FieldType } from './fields.js';
export {
  DEFAULT_LIMITS,
  MAX_BODY_BYTES,
  MAX_CORE_BYTES,
  MAX_OPEN,
  shortenedText,
  TOO_LONG,
  BlockTooLarge,
} from './limits.js';
export type { EncodeLimits } from './limits.js';
export { canonicalJson } from './canonical-json.js';
export { floatText } from './json/float-text.js';
export { type FixedColumn, makeBlock } from './blocks/make-block.js';
export { nativeBlocks } from './blocks/native.js';
export type { NativeBlocks, NativeColumn, NativePart } from './blocks/native.js';
export { overflowNames } from './overflow-names.js';
export {
  atOnce,
  type BatchFieldStats,
  type FieldsWithRoom,
  type FieldStats,
  type PlacementResult,
  type ColumnPlacement,
  type SteppedPlacement,
} from './placement.js';
