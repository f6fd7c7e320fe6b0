import type { Type } from '../evaluator/values.js';
import { literal, types } from './cells.js';
import type { Choices } from './choices.js';
import { ofType } from './shape.js';
import type { Shape } from './shape.js';

/** What makes the operands. */
export interface Maker {
  readonly choices: Choices;
  readonly shape: Shape;
  readonly of: (type: Type, depth: number) => string;
  readonly any: (depth: number) => string;
  readonly dynamic: (what: 'list' | 'bag' | 'holder') => string;
}

/** A call written with placeholders, such as `strlen($string)`, with operands in their places; every `$same` in a call has the same type. */
export function filled(text: string, e: Maker, depth: number): string {
  const same = e.choices.below(types.length);
  return text.replaceAll(/\$(\w+)/g, (_, what: string) => {
    if (what === 'any') return e.any(depth);
    if (what === 'same') return e.of(types[same]!, depth);
    if (what === 'literal') return literal(e.choices, 'string');
    if (what === 'scale') return e.choices.of(['1', '2', '5', '60', '1000']);
    if (what === 'small') return e.choices.of(['0', '1', '2', '-1', '-2', '5']);
    if (what === 'step') return e.choices.of(['1h', '1s', '15m', '1d', '7d', '7h']);
    if (what === 'size') return e.choices.of(['0.5', '2.0', '0.25', '10.0']);
    if (what === 'unit') return e.choices.of(['day', 'hour', 'month', 'year']);
    if (what === 'part') return e.choices.of(dateParts);
    if (what === 'member') return e.choices.of(['1', '"a"', '2', '"x"', '2.5', 'true']);
    if (what === 'rewrite') return e.choices.of(['"<$0>"', '"-"', '""']);
    if (what === 'group') return e.choices.of(['0', '1', '2']);
    if (what === 'move') return e.choices.of(['day', 'month', 'year']);
    if (what === 'key') return e.choices.of(['k', 's', 'l', 'n', 'nope']);
    if (what === 'list' || what === 'bag' || what === 'holder') return e.dynamic(what);
    if (what === 'time')
      return ofType(e.shape, 'datetime').some(({ name }) => name === '_time') ? '_time' : e.of('datetime', 0);
    if (what === 'needle') return e.choices.of(needles);
    if (what === 'regex') return e.choices.of(regexes);
    return e.of(what as Type, depth);
  });
}

const dateParts = ['year', 'quarter', 'month', 'week_of_year', 'day', 'hour', 'minute', 'second'];

const needles = [
  '"a"',
  '"error"',
  '"A"',
  '"api"',
  '"foo"',
  '"bar-"',
  '"ä"',
  '"Ö"',
  '"é"',
  '"😀"',
  '""',
  '"1"',
  '"b c"',
  '"/"',
  '"語"',
  '"\\""',
];
export const regexes = [
  '"[0-9]+"',
  '"^a"',
  '"b$"',
  '"(?:e|r)+o"',
  '"\\\\d\\\\.\\\\d"',
  '"a.b"',
  '"^$"',
  '"[^a-z]"',
  '"x?y*"',
];
