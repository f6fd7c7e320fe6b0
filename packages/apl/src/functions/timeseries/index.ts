import type { FunctionRecord } from '../define.js';
import { functions as decompose } from './decompose.js';
import { functions as elementwise } from './elementwise.js';
import { functions as equality } from './equality.js';
import { functions as fill } from './fill.js';
import { functions as filter } from './filter.js';
import { functions as fourier } from './fourier.js';
import { functions as measures } from './measures.js';
import { functions as pairwise } from './pairwise.js';
import { functions as periods } from './periods.js';
import { functions as seasonal } from './seasonal.js';
import { functions as segments } from './segments.js';

/** Functions on series: arrays of numbers at equal intervals, as `make-series` makes them. */
export const functions: readonly FunctionRecord[] = [
  decompose,
  elementwise,
  equality,
  fill,
  filter,
  fourier,
  measures,
  pairwise,
  periods,
  seasonal,
  segments,
].flat();
