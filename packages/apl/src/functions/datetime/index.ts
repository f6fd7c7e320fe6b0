import type { FunctionRecord } from '../define.js';
import { datetimeArithmetic } from './arithmetic.js';
import { boundaries } from './boundaries.js';
import { builders } from './build.js';
import { formats } from './format.js';
import { datetimeParts } from './parts.js';
import { relativeTimes } from './relative.js';
import { zones } from './zones.js';

export const functions: readonly FunctionRecord[] = [
  ...relativeTimes,
  ...datetimeArithmetic,
  ...datetimeParts,
  ...boundaries,
  ...builders,
  ...formats,
  ...zones,
];
