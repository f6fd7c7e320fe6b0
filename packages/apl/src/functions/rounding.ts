import { call } from '@millrace/sql';
import type { LiteralValue } from '@millrace/sql';
import { fitsInt64 } from '../lower/values.js';
import { truncatedReal } from './conversion/numbers.js';
import { param } from './define.js';
import type { Example, FunctionRecord } from './define.js';

/** Rounds to an integer; null where 64 bits do not hold it. */
const toWhole = (
  name: string,
  summary: string,
  engine: string,
  round: (value: number) => number,
  examples: readonly Example[],
): FunctionRecord => ({
  name,
  group: 'rounding',
  summary,
  nulls: 'propagate',
  overloads: [
    { params: [param('number', 'long')], returns: 'long', lower: ([n]) => n!.sql, fold: ([n]) => n },
    {
      params: [param('number', 'real')],
      returns: 'long',
      lower: ([n]) => truncatedReal(call(engine, n!.sql)),
      fold: ([n]) => (typeof n === 'number' ? whole(round(n)) : null),
    },
  ],
  examples,
});

const whole = (value: number): LiteralValue =>
  Number.isFinite(value) && fitsInt64(BigInt(value)) ? BigInt(value) : null;

export const functions: readonly FunctionRecord[] = [
  toWhole('ceiling', 'The smallest integer that is not less than the number.', 'ceil', Math.ceil, [
    { apl: 'ceiling(1.2)', gives: 2 },
    { apl: 'ceiling(-1.2)', gives: -1 },
    { apl: 'ceiling(3)', gives: 3 },
    { apl: 'ceiling(1e300)', gives: null },
  ]),
  toWhole('floor', 'The largest integer that is not greater than the number.', 'floor', Math.floor, [
    { apl: 'floor(1.8)', gives: 1 },
    { apl: 'floor(-1.2)', gives: -2 },
    { apl: 'floor(real(null))', gives: null },
  ]),
];
