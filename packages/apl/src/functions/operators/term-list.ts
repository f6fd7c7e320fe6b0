import { and, call, column, integer, item, lambda, literal, not, or, select } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { orFalse } from '../../lower/equality.js';
import { flatElements } from '../../lower/json/flat-elements.js';
import { foldedCase } from '../../lower/strings/fold-case.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { asString } from '../../lower/values.js';
import { defineOverload, param } from '../define.js';
import type { LoweredArgument, Overload } from '../define.js';

/**
 * `has_any` and `has_all` with lists that are long or come from data. One regular expression per
 * term, which is best for a few terms, takes the engine milliseconds to compile. Instead a mark is
 * put at both ends of every term, in the text and in the search values: the text has a term if it
 * contains the marked term as a substring.
 */

/**
 * Maximum number of constants that are searched one by one; the engine prepares a search for each
 * of them.
 */
export const MAX_SINGLE_TERMS = 16;

/** A Unicode noncharacter, which no text contains: it is not valid for interchange. */
const MARK = '\uFDD0';

const markText = (text: Expr, exactCase: boolean): Expr =>
  call(
    'replaceRegexpAll',
    exactCase ? text : foldedCase(text),
    literal(String.raw`[\p{L}\p{N}]+`),
    literal(String.raw`${MARK}\0${MARK}`),
  );

/** Maximum number of terms in one multi-search of the engine. */
const AT_ONCE = 255;

/** The search values, as marked strings. */
const needlesOf = (list: LoweredArgument, exactCase: boolean): Expr =>
  call('arrayMap', lambda(['value'], markText(column('value'), exactCase)), textsOf(list));

/**
 * The strings in a list. The elements of a constant are known to be strings and are printed as a
 * single literal, because the engine parses ten thousand literals slowly.
 */
const textsOf = ({ sql, constant }: LoweredArgument): Expr =>
  typeof constant === 'string'
    ? call('splitByString', literal(MARK), literal((JSON.parse(constant) as readonly string[]).join(MARK)))
    : call(
        'arrayMap',
        lambda(['value'], asString({ type: 'dynamic', sql: column('value') })),
        call('arrayFilter', lambda(['value'], call('notEquals', column('value'), literal('null'))), flatElements(sql)),
      );

const isIn = (text: Expr): Expr => call('greater', call('position', text, column('needle')), integer(0));
const someIn = (text: Expr, needles: Expr): Expr => call('arrayExists', lambda(['needle'], isIn(text)), needles);
const allIn = (text: Expr, needles: Expr): Expr => call('arrayAll', lambda(['needle'], isIn(text)), needles);

/** For a list that differs per row. */
const ownList = (every: boolean, exactCase: boolean) => (text: Expr, list: LoweredArgument) =>
  shareSubexpression(markText(text, exactCase), (sought) =>
    every ? allIn(sought, needlesOf(list, exactCase)) : someIn(sought, needlesOf(list, exactCase)),
  );

/** All rows have one list, which the engine computes once; it may be long. */
const oneList = (every: boolean, exactCase: boolean) => (text: Expr, list: LoweredArgument) => {
  const all = computedOnce(needlesOf(list, exactCase));
  // An empty text is in every text. Single terms come last, because there may be many.
  const wanted = filterNeedles(call('notEmpty', column('needle')), call('arrayDistinct', all));
  const needles = computedOnce(call('arraySort', lambda(['needle'], isTerm(column('needle'))), wanted));
  const first = call('arraySlice', needles, integer(1), integer(AT_ONCE));
  const others = call('arraySlice', needles, integer(AT_ONCE + 1));
  const isLong = call('greater', call('length', needles), integer(AT_ONCE));
  // The engine cannot search a constant for computed terms, and in a lambda the terms are not
  // constant.
  const firstFound = (every ? allAtOnce : someAtOnce)(call('materialize', markText(text, exactCase)), first);
  const othersFound = shareSubexpression(markText(text, exactCase), (sought) =>
    (every ? allAmong : someAmong)(sought, others),
  );
  const found = call('if', isLong, every ? and(firstFound, othersFound) : or(firstFound, othersFound), firstFound);
  return every ? or(call('empty', all), found) : or(and(call('has', all, literal('')), call('isNotNull', text)), found);
};

const computedOnce = (value: Expr): Expr => ({ kind: 'scalarSubquery', query: select({ columns: [item(value)] }) });
const filterNeedles = (test: Expr, needles: Expr): Expr => call('arrayFilter', lambda(['needle'], test), needles);

const someAtOnce = (text: Expr, needles: Expr): Expr => call('multiSearchAny', text, needles);
const allAtOnce = (text: Expr, needles: Expr): Expr =>
  call(
    'arrayAll',
    lambda(['at'], call('greater', column('at'), integer(0))),
    call('multiSearchAllPositions', text, needles),
  );

const TERM = `${MARK}[^${MARK}]+${MARK}`;
const isTerm = (needle: Expr): Expr => call('match', needle, literal(`^${TERM}$`));

/**
 * Terms are looked up in a set of any size; values with other characters are searched one by one.
 */
const someAmong = (text: Expr, needles: Expr): Expr =>
  or(call('notEmpty', termsAmong(text, needles)), someIn(text, filterNeedles(not(isTerm(column('needle'))), needles)));

const allAmong = (text: Expr, needles: Expr): Expr =>
  and(
    call(
      'equals',
      call('length', call('arrayDistinct', termsAmong(text, needles))),
      call('length', filterNeedles(isTerm(column('needle')), needles)),
    ),
    allIn(text, filterNeedles(not(isTerm(column('needle'))), needles)),
  );

/** The terms of the text that are among the needles. */
const termsAmong = (text: Expr, needles: Expr): Expr =>
  call(
    'arrayFilter',
    lambda(['term'], {
      kind: 'inSubquery',
      needle: column('term'),
      query: select({ columns: [item(call('arrayJoin', needles))] }),
    }),
    call('extractAll', call('ifNull', text, literal('')), literal(TERM)),
  );

interface Form {
  /** Whether the text must have all of the terms. */
  readonly every: boolean;
  readonly exactCase: boolean;
  /** Whether the list is equal for all rows. */
  readonly shared: boolean;
}

/** Whether a text has some or all of the terms in a list; a constant one is an array of texts. */
export const termsInList = ({ every, exactCase, shared }: Form): Overload =>
  defineOverload({
    params: [param('text', 'string'), param('list', 'dynamic')],
    returns: 'bool',
    lower: ([text, list]) => orFalse((shared ? oneList : ownList)(every, exactCase)(text.sql, list)),
  });

/** The place of the first term of a list that a text has, from 0; -1 if it has none. */
export const firstTermInList = (text: Expr, list: LoweredArgument): Expr => {
  const value = column('value');
  // A null is no term, and yet has a place.
  const needle = call(
    'if',
    call('equals', value, literal('null')),
    literal(`${MARK}${MARK}`),
    markText(asString({ type: 'dynamic', sql: value }), false),
  );
  const needles = call('arrayMap', lambda(['value'], needle), flatElements(list.sql));
  return shareSubexpression(markText(text, false), (sought) =>
    call('minus', call('toInt64', call('arrayFirstIndex', lambda(['needle'], isIn(sought)), needles)), integer(1)),
  );
};
