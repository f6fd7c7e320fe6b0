import type { ScalarType } from '../../types.js';

/**
 * What a value of a type looks like, as a regular expression without groups. Before `*` or a
 * regular expression, which may match nothing, no text says where a value ends. Missing are types
 * whose values can hold anything.
 */
export const shapes: Partial<Record<ScalarType, string>> = {
  long: String.raw`[+-]?\d+`,
  real: String.raw`[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?`,
  bool: '(?i:true|false|[01])',
  timespan: String.raw`[+-]?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+`,
  datetime: String.raw`\d{1,4}[-/]\d{1,2}[-/]\d{1,4}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?`,
};
