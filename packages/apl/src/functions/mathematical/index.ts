import type { FunctionRecord } from '../define.js';
import { bits } from './bits.js';
import { elementary } from './elementary.js';
import { numbers } from './numbers.js';
import { rangeRecord } from './range.js';
import { roundRecord } from './round.js';
import { sets } from './sets.js';

export const functions: readonly FunctionRecord[] = [
  ...elementary,
  roundRecord,
  ...numbers,
  rangeRecord,
  ...sets,
  ...bits,
];
