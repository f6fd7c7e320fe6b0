import type { ScalarType } from '../../model/types.js';

/**
 * Regular expressions without groups that match values of a type. Before `*` or a regular
 * expression, which may be empty, no text delimits a value. Types whose values are arbitrary text
 * are missing.
 */
export const shapes: Partial<Record<ScalarType, string>> = {
  long: String.raw`[+-]?\d+`,
  real: String.raw`[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?`,
  bool: '(?i:true|false|[01])',
  timespan: String.raw`[+-]?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+`,
  datetime: String.raw`\d{1,4}[-/]\d{1,2}[-/]\d{1,4}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?`,
};
