import type { ParamType } from '../functions/define.js';

/** An ordinary value for each type of parameter, as written in a query. */
export const literals: Readonly<Record<ParamType, string>> = {
  bool: 'true',
  long: '2',
  real: '1.5',
  number: '2',
  string: '"a"',
  datetime: 'datetime(2024-01-01)',
  timespan: '1h',
  dynamic: 'dynamic([1, 2])',
  array: 'dynamic([1, 2])',
  bag: 'dynamic({"a": 1})',
  any: '"a"',
};
