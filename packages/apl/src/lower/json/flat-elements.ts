import { and, call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { toReadableJson, sameText } from './json-parts.js';
import { shareSubexpression } from '../shared-subexpressions.js';
import { elementsOf } from './members.js';

/** Flattens a list that comes from data: nested arrays count as their elements. */

const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
/**
 * An object; regular expressions have no recursion, and lists of objects are rarely nested deeper.
 */
const objectAround = (inner: string): string => String.raw`\{(?:[^{}"]|${TEXT}${inner})*\}`;
const OBJECT = objectAround(`|${objectAround(`|${objectAround(`|${objectAround('')}`)}`)}`);
const VALUES = String.raw`${TEXT}|${OBJECT}|[^\[\]{},:"\s]+`;

/**
 * The values in a JSON array and in arrays within it, as `Array(String)` of JSON texts; any other
 * value is the only one, and null none.
 */
export const flatElements = (json: Expr): Expr =>
  shareSubexpression(json, (text) =>
    call(
      'multiIf',
      call('isNull', text),
      call('emptyArrayString'),
      and(call('startsWith', text, literal('[')), hasInnerArray(text)),
      call('arrayMap', lambda(['value'], toReadableJson(call('JSONExtractRaw', column('value')))), valuesIn(text)),
      call('startsWith', text, literal('[')),
      elementsOf(text),
      call('array', call('ifNull', sameText(text), literal(''))),
    ),
  );

const valuesIn = (text: Expr): Expr => call('extractAll', call('ifNull', text, literal('')), literal(VALUES));

const hasInnerArray = (text: Expr): Expr =>
  call('greater', call('position', text, literal('['), integer(2)), integer(0));
