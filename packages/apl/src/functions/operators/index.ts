import type { FunctionRecord } from '../define.js';
import { arithmetic } from './arithmetic.js';
import { comparison } from './comparison.js';
import { logic } from './logic.js';
import { sets } from './sets.js';
import { text } from './text.js';

/** All scalar operators, declared like functions; the binder looks them up by their sign. */
export const scalarOperators: readonly FunctionRecord[] = [...logic, ...comparison, ...arithmetic, ...text, ...sets];

const bySign: ReadonlyMap<string, FunctionRecord> = new Map(scalarOperators.map((record) => [record.name, record]));

/** The operator with a sign such as `+`, `!contains_cs` or `negate`. */
export function scalarOperator(sign: string): FunctionRecord {
  const record = bySign.get(sign);
  if (record === undefined) throw new RangeError(`no such operator: ${sign}`);
  return record;
}
