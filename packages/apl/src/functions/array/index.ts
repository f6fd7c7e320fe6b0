import type { FunctionRecord } from '../define.js';
import { functions as bags } from './bags.js';
import { functions as extract } from './extract.js';
import { functions as order } from './order.js';
import { functions as pack } from './pack.js';
import { functions as parts } from './parts.js';
import { treepath } from './paths.js';
import { functions as reshape } from './reshape.js';
import { functions as size } from './size.js';
import { functions as totals } from './totals.js';

/** Functions on arrays and objects. */
export const functions: readonly FunctionRecord[] = [
  bags,
  extract,
  order,
  pack,
  parts,
  reshape,
  size,
  totals,
  [treepath],
].flat();
