import type { Type } from '../evaluator/values.js';
import { boolCalls } from './bool-calls.js';
import { dynamicCalls } from './dynamic-calls.js';
import { longCalls, realCalls } from './number-calls.js';
import { stringCalls } from './string-calls.js';
import { datetimeCalls, timespanCalls } from './time-calls.js';

/**
 * The calls and operations that give each type, with placeholders for their operands
 * (`templates.ts`).
 */
export const calls: Readonly<Record<Exclude<Type, 'mixed'>, readonly string[]>> = {
  bool: boolCalls,
  long: longCalls,
  real: realCalls,
  string: stringCalls,
  datetime: datetimeCalls,
  timespan: timespanCalls,
  dynamic: dynamicCalls,
};
