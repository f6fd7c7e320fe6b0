import { and, call, integer, literal, not, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { orFalse } from '../../lower/equality.js';
import { foldedCase, hasSigma } from '../../lower/strings/fold-case.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { wordsIn } from '../../lower/strings/words.js';
import type { Scalar } from '../../plan/scalar.js';
import { wordsOfNeedle } from '../../plan/required-words.js';
import type { RequiredWords } from '../../plan/required-words.js';
import { defineFunction, defineOverload, param } from '../define.js';
import type { Example, FunctionRecord, LoweredArgument, Overload, Param } from '../define.js';
import { anyBit } from './logic.js';
import { checkRegexAt, engineRegex, patternOf, quoteRegex, regexParam } from '../string/pattern.js';

/**
 * Tests on text. Every one has a case-sensitive and a negated form; the negated one is true where a
 * side is null, like `!=`. A term is a maximal run of Unicode letters and digits.
 */

type Test = (text: Expr, needle: LoweredArgument, exactCase: boolean) => Expr;

const isAscii = (needle: LoweredArgument): boolean =>
  typeof needle.constant === 'string' && [...needle.constant].every((c) => c.charCodeAt(0) < 128);
const isFound = (position: Expr): Expr => call('greater', position, integer(0));

const contains: Test = (text, needle, exactCase) => {
  if (exactCase) return isFound(call('position', text, needle.sql));
  if (typeof needle.constant === 'string' && hasSigma(needle.constant))
    return isFound(call('position', foldedCase(text), foldedCase(needle.sql)));
  return isFound(call(isAscii(needle) ? 'positionCaseInsensitive' : 'positionCaseInsensitiveUTF8', text, needle.sql));
};

const equals: Test = (text, needle, exactCase) => {
  if (exactCase) return call('equals', text, needle.sql);
  return isAscii(needle)
    ? call('equals', call('lowerUTF8', text), call('lowerUTF8', needle.sql))
    : call('equals', foldedCase(text), foldedCase(needle.sql));
};

const edge =
  (name: 'startsWith' | 'endsWith'): Test =>
  (text, needle, exactCase) => {
    if (exactCase) return call(name, text, needle.sql);
    return isAscii(needle)
      ? call(`${name}CaseInsensitive`, text, needle.sql)
      : call(name, foldedCase(text), foldedCase(needle.sql));
  };

const matches: Test = (text, regex) => {
  const pattern = patternOf(regex);
  return call('match', text, pattern === undefined ? regex.sql : engineRegex(pattern.text));
};

const term =
  (before: boolean, after: boolean): Test =>
  (text, needle, exactCase) => {
    const flags = exactCase ? '' : '(?i)';
    const { constant } = needle;
    if (constant === '') return call('isNotNull', text);
    const regex =
      typeof constant === 'string'
        ? literal(termPattern(constant, before, after, exactCase))
        : call(
            'concat',
            literal(flags),
            ...(before ? [whereMatches(needle.sql, `^${LETTER}`, BEFORE)] : []),
            call('regexpQuoteMeta', needle.sql),
            ...(after ? [whereMatches(needle.sql, `${LETTER}$`, AFTER)] : []),
          );
    // A search for the bare text first is much cheaper than the regular expression and rules out
    // nearly every row. The engine's own word search, or an expression of ASCII characters, finds
    // most of the rest; compiling one that covers all letters takes a millisecond.
    return shareSubexpression(text, (value) => {
      const isMatch = call('match', value, regex);
      const exact = typeof constant === 'string' ? termPattern(constant, before, after, exactCase) : '';
      const simple = asciiTerm(exact);
      const quick =
        before && after && isToken(needle)
          ? [hasToken(value, needle.sql, exactCase)]
          : simple === exact
            ? []
            : [call('match', value, literal(simple))];
      const found = or(...quick, isMatch);
      return and(contains(value, needle, exactCase), found);
    });
  };

const LETTER = '[\\p{L}\\p{N}]';
/**
 * A part of a pattern, included only if the needle matches `regex`: if it begins or ends with a
 * letter or digit.
 */
const whereMatches = (needle: Expr, regex: string, part: string): Expr =>
  call('if', call('match', needle, literal(regex)), literal(part), literal(''));

const BEFORE = '(?:^|[^\\p{L}\\p{N}])';
const AFTER = '(?:$|[^\\p{L}\\p{N}])';

/** A term as a regular expression. */
function termPattern(needle: string, before: boolean, after: boolean, exactCase: boolean): string {
  const start = before && startsInTerm.test(needle) ? BEFORE : '';
  const end = after && endsInTerm.test(needle) ? AFTER : '';
  return `${exactCase ? '' : '(?i)'}${start}${quoteRegex(needle)}${end}`;
}

/**
 * Whether a term is in one of many texts. They are joined by line feeds, which the term must not
 * contain, so it cannot span two. The engine compiles a regular expression again for each block and
 * each place it occurs in, and one with all letters takes milliseconds: so one serves all texts,
 * and a simpler test before it finds terms between ASCII characters.
 */
export const termInAny = (needle: string, before: boolean, after: boolean, exactCase: boolean): Overload => {
  const words = wordsIn(needle, { first: before, last: after });
  const sought: LoweredArgument = { sql: literal(needle), type: 'string', constant: needle };
  return defineOverload({
    params: [],
    rest: param('text', 'string'),
    returns: 'bool',
    wants: (texts) => ({ texts, sets: [words] }),
    lower: (texts) => {
      const quick = anyBit(
        texts.map(({ sql }) => whereWords(orFalse(contains(sql, sought, exactCase)), sql, words, false)),
      );
      const lines = texts.flatMap(({ sql }, i) => [
        ...(i === 0 ? [] : [literal('\n')]),
        whereWords(call('ifNull', sql, literal('')), sql, words, ''),
      ]);
      const joined = lines.length === 1 ? lines[0]! : call('concat', ...lines);
      const exact = termPattern(needle, before, after, exactCase);
      const found = or(
        ...(before && after && token.test(needle)
          ? texts.map(({ sql }) => whereWords(orFalse(hasToken(sql, literal(needle), exactCase)), sql, words, false))
          : [call('match', joined, literal(asciiTerm(exact)))]),
        call('match', joined, literal(exact)),
      );
      return and(quick, found);
    },
  });
};

/**
 * Annotates a test of a string, or the string itself, with its value where the string lacks one of
 * the words.
 */
function whereWords(test: Expr, text: Expr, words: readonly string[], without: false | ''): Expr {
  const [inner] = text.kind === 'call' && text.name === 'CAST' ? text.args : [text];
  return test.kind === 'call' && inner?.kind === 'column' && words.length > 0
    ? { ...test, wants: { column: inner.name, words, without } }
    : test;
}

/**
 * Input of the engine's own word search: its words end at every ASCII character that is not a
 * letter or digit.
 */
const token = /^[0-9A-Za-z]+$/;
const isToken = ({ constant }: LoweredArgument): boolean => typeof constant === 'string' && token.test(constant);
const hasToken = (text: Expr, word: Expr, exactCase: boolean): Expr =>
  call(exactCase ? 'hasToken' : 'hasTokenCaseInsensitive', text, word);
const ASCII_BEFORE = '(?:^|[\\x00-/:-@[-`{-\\x7f])';
const ASCII_AFTER = '(?:$|[\\x00-/:-@[-`{-\\x7f])';
/** The expression of a term, which then finds only terms between ASCII characters. */
const asciiTerm = (pattern: string): string => pattern.replace(BEFORE, ASCII_BEFORE).replace(AFTER, ASCII_AFTER);
/** Whether the text has the needle as a whole term. */
export const hasTerm: Test = term(true, true);

const startsInTerm = /^[\p{L}\p{N}]/u;
const endsInTerm = /[\p{L}\p{N}]$/u;

interface Form {
  readonly op: string;
  readonly what: string;
  readonly test: Test;
  /** Whether there are also forms with `_cs`, which are case-sensitive. */
  readonly cased: boolean;
  /** The parameter for the search value, if it is not an arbitrary string. */
  readonly needle?: Param;
  readonly check?: Overload['check'];
  /**
   * Whether the search value begins and ends at word boundaries of the text; absent if that is
   * unknown.
   */
  readonly edges?: readonly [first: boolean, last: boolean];
  readonly examples: readonly Example[];
  /** Examples of the case-sensitive form. */
  readonly casedExamples?: readonly Example[];
}

const forms: readonly Form[] = [
  {
    op: 'contains',
    what: 'the text contains the other',
    test: contains,
    edges: [false, false],
    cased: true,
    casedExamples: [
      { apl: '"Hello World" contains "World"', gives: true },
      { apl: '"Hello World" contains "world"', gives: false },
    ],

    examples: [
      { apl: '"Hello World" contains "WORLD"', gives: true },
      { apl: '"Straße ÄÖ" contains "äö"', gives: true },
      { apl: '"οδος" contains "ΔΟΣ"', gives: true },
      { apl: 'string(null) contains "x"', gives: false },
    ],
  },
  {
    op: 'startswith',
    what: 'the text begins with the other',
    test: edge('startsWith'),
    edges: [true, false],
    cased: true,
    casedExamples: [
      { apl: '"Hello" startswith "He"', gives: true },
      { apl: '"Hello" startswith "HE"', gives: false },
    ],

    examples: [
      { apl: '"Hello" startswith "HE"', gives: true },
      { apl: '"Àbc" startswith "àb"', gives: true },
      { apl: '"ΟΔΟΣΗΜΑ" startswith "ΟΔΟΣ"', gives: true },
    ],
  },
  {
    op: 'endswith',
    what: 'the text ends with the other',
    test: edge('endsWith'),
    edges: [false, true],
    cased: true,
    casedExamples: [
      { apl: '"file.TXT" endswith ".TXT"', gives: true },
      { apl: '"file.TXT" endswith ".txt"', gives: false },
    ],

    examples: [{ apl: '"file.TXT" endswith ".txt"', gives: true }],
  },
  {
    op: 'has',
    what: 'the text contains the other as a whole term (a run of letters and digits)',
    test: term(true, true),
    edges: [true, true],
    cased: true,
    casedExamples: [
      { apl: '"foo_Bar" has "Bar"', gives: true },
      { apl: '"foo_Bar" has "bar"', gives: false },
    ],

    examples: [
      { apl: '"foo_bar" has "FOO"', gives: true },
      { apl: '"foobar" has "foo"', gives: false },
      { apl: '"ο οδος" has "ΟΔΟΣ"', gives: true },
      { apl: '"“error”" has "error"', gives: true },
      { apl: '"GET /api/v1" has "/api/"', gives: true },
    ],
  },
  {
    op: 'hasprefix',
    what: 'a term in the text begins with the other',
    test: term(true, false),
    edges: [true, false],
    cased: true,
    casedExamples: [
      { apl: '"North America" hasprefix "Ame"', gives: true },
      { apl: '"North America" hasprefix "ame"', gives: false },
    ],

    examples: [
      { apl: '"North America" hasprefix "ame"', gives: true },
      { apl: '"North America" hasprefix "rica"', gives: false },
    ],
  },
  {
    op: 'hassuffix',
    what: 'a term in the text ends with the other',
    test: term(false, true),
    edges: [false, true],
    cased: true,
    casedExamples: [
      { apl: '"North America" hassuffix "rth"', gives: true },
      { apl: '"North America" hassuffix "RTH"', gives: false },
    ],

    examples: [
      { apl: '"documentation.docx" hassuffix ".docx"', gives: true },
      { apl: '"North America" hassuffix "rth"', gives: true },
      { apl: '"North America" hassuffix "nort"', gives: false },
    ],
  },
  {
    op: 'matches regex',
    what: 'the regular expression (RE2) matches somewhere in the text',
    test: matches,
    cased: false,
    needle: regexParam,
    check: checkRegexAt(1),
    examples: [
      { apl: '"abc123" matches regex "[0-9]+$"', gives: true },
      { apl: '"a\\nb" matches regex "a.b"', gives: false },
      { apl: '"é" matches regex "éé?"', gives: true },
    ],
  },
  {
    op: '=~',
    what: 'both sides are equal, ignoring case',
    test: equals,
    edges: [true, true],
    cased: false,
    examples: [
      { apl: '"Hello" =~ "hELLO"', gives: true },
      { apl: '"ÀB" =~ "àb"', gives: true },
      { apl: '"ΟΔΟΣ" =~ "οδοσ"', gives: true },
    ],
  },
];

export const text: readonly FunctionRecord[] = forms.flatMap((form): readonly FunctionRecord[] => {
  const { op } = form;
  const plainCase = op === 'matches regex';
  const negatedName = op === '=~' ? '!~' : `!${op}`;
  return [record(op, form, plainCase, false), record(negatedName, form, plainCase, true)].concat(
    form.cased ? [record(`${op}_cs`, form, true, false), record(`!${op}_cs`, form, true, true)] : [],
  );
});

function record(name: string, form: Form, exactCase: boolean, negative: boolean): FunctionRecord {
  const { what, test, check, edges, needle = param('needle', 'string') } = form;
  return defineFunction({
    name,
    summary: `Whether ${negative ? 'it is not true that ' : ''}${what}${form.cased ? (exactCase ? ', case-sensitive' : ', ignoring case') : ''}.`,
    handlesNulls: true,
    params: [param('text', 'string'), needle],
    returns: 'bool',
    lower: ([value, sought]) => {
      const positive = orFalse(test(value.sql, sought, exactCase));
      return negative ? not(positive) : positive;
    },
    ...(check === undefined ? {} : { check }),
    ...(edges === undefined || negative ? {} : { wants: wordsBetween(edges) }),
    examples: (exactCase && form.cased ? (form.casedExamples ?? []) : form.examples).map((example) =>
      name === form.op ? example : renameExample(example, form.op, name, negative),
    ),
  });
}

function wordsBetween([first, last]: readonly [boolean, boolean]) {
  return (args: readonly Scalar[]): RequiredWords | undefined =>
    wordsOfNeedle(args, (text) => wordsIn(text, { first, last }));
}

/** An example of one form, rewritten for another. */
function renameExample(example: Example, op: string, name: string, negative: boolean): Example {
  const apl = example.apl.replace(` ${op} `, ` ${name} `);
  return { apl, gives: negative ? example.gives === false : example.gives };
}
