import { withOverloads } from '../define.js';
import type { OverloadedFunction } from '../define.js';
import { arithmetic } from './arithmetic.js';
import { comparison } from './comparison.js';
import { logic } from './logic.js';
import { sets } from './sets.js';
import { text } from './text.js';

/** All scalar operators, declared like functions; the binder looks them up by their sign. */
export const scalarOperators: readonly OverloadedFunction[] = [logic, comparison, arithmetic, text, sets].flatMap(
  (records) => records.map(withOverloads),
);

const bySign: ReadonlyMap<string, OverloadedFunction> = new Map(scalarOperators.map((record) => [record.name, record]));

/** The operator with a sign such as `+`, `!contains_cs` or `negate`. */
export function scalarOperator(sign: string): OverloadedFunction {
  const record = bySign.get(sign);
  if (record === undefined) throw new RangeError(`no such operator: ${sign}`);
  return record;
}
