import { call, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { textIn } from '../../lower/strings/known-texts.js';
import { nullOf } from '../../lower/values.js';
import { convert } from '../../lower/values.js';
import type { ScalarType } from '../../model/types.js';
import { defineOverload, param } from '../define.js';
import type { Overload } from '../define.js';
import { contentOf, holdsText } from '../json-text.js';
import { falseWords, trueWords } from './numbers.js';
import { parsedDuration } from './times.js';

/**
 * Dynamic values compared with a number, a boolean or a timespan: strings in them are parsed, like
 * a column of strings. Other conversions of dynamic values do not parse strings.
 */

/** JSON without the quotes of a text; a number has nothing in it that JSON would escape. */
export const unquoteJson = (json: Expr): Expr => textIn(json) ?? call('replaceAll', json, literal('"'), literal(''));

const read = (returns: ScalarType, lower: (json: Expr) => Expr): Overload =>
  defineOverload({ params: [param('value', 'dynamic')], returns, lower: ([{ sql }]) => lower(sql) });

const among = (json: Expr, words: readonly string[]): Expr =>
  call('in', json, call('tuple', ...words.map((word) => literal(word))));

const bool = (json: Expr): Expr =>
  shareSubexpression(json, (value) =>
    call(
      'multiIf',
      among(value, ['true', ...trueWords.map((word) => `"${word}"`)]),
      literal(true),
      among(value, ['false', ...falseWords.map((word) => `"${word}"`)]),
      literal(false),
      nullOf('bool'),
    ),
  );

const timespan = (json: Expr): Expr =>
  shareSubexpression(json, (value) =>
    call(
      'if',
      holdsText(value),
      parsedDuration(contentOf(value)),
      convert({ sql: value, type: 'dynamic' }, 'timespan')!.sql,
    ),
  );

/**
 * How a dynamic value is parsed for a comparison with one of these types; for other types it is
 * converted.
 */
export const comparedJson: Partial<Record<ScalarType, Overload>> = {
  real: read('real', (json) => call('toFloat64OrNull', unquoteJson(json))),
  long: read('long', (json) => call('toInt64OrNull', unquoteJson(json))),
  bool: read('bool', bool),
  timespan: read('timespan', timespan),
};
