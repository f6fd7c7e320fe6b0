import type { Type } from '../evaluator/values.js';
import { literal, types } from './cells.js';
import type { Choices } from './choices.js';
import { ofType } from './shape.js';
import type { Shape } from './shape.js';
import { operands } from './operands.js';

/** Sources of the operands. */
export interface Maker {
  readonly choices: Choices;
  readonly shape: Shape;
  readonly of: (type: Type, depth: number) => string;
  readonly any: (depth: number) => string;
  readonly dynamic: (what: 'list' | 'bag' | 'holder') => string;
}

/**
 * A call written with placeholders, such as `strlen($string)`, with operands in their places; every
 * `$same` in a call has the same type.
 */
export function fillTemplate(text: string, e: Maker, depth: number): string {
  const same = e.choices.below(types.length);
  return text.replaceAll(/\$(\w+)/g, (_, what: string) => {
    if (what === 'any') return e.any(depth);
    if (what === 'same') return e.of(types[same]!, depth);
    if (what === 'literal') return literal(e.choices, 'string');
    const written = operands[what];
    if (written !== undefined) return e.choices.of(written);
    if (what === 'list' || what === 'bag' || what === 'holder') return e.dynamic(what);
    if (what === 'time')
      return ofType(e.shape, 'datetime').some(({ name }) => name === '_time') ? '_time' : e.of('datetime', 0);
    return e.of(what as Type, depth);
  });
}
