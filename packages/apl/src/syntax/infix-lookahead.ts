import type { Span } from './ast.js';
import type { Fix } from './diagnostic-sink.js';
import { foreignOperators, type InfixOperator, infixOperators } from './infix-operators.js';
import { operatorNameAt } from './operator-names.js';
import type { Parser } from './parser.js';
import { oldInfixNames } from './hints/old-names.js';
import { findNearest } from './hints/suggestions.js';

/** The operator that follows a value; if it is misspelled, the error to report. */
export interface FoundInfix {
  readonly operator: InfixOperator;
  readonly length: number;
  readonly mistake?: { readonly message: string; readonly fix?: Fix; readonly isRead?: true };
}

/** Words that may follow a value without being operators between two values. */
const FOLLOWERS: ReadonlySet<string> = new Set(
  'as asc by default desc first from last limit nulls of on step to with'.split(' '),
);

/**
 * The word operator that is next. Mistakes are recognized where a word can only be an operator:
 * `AND`, `&&`, `not in`, `like`, `matches "x"`, `containss`.
 */
export function infixAt(p: Parser): FoundInfix | undefined {
  const token = p.peek();
  if (token.text === '&&') return suggestion('and', 1, 'there is no &&; write and');
  if (token.text === '||') {
    const isPipe = operatorNameAt(p, 1) !== undefined && p.peek(2).kind !== 'punctuation';
    return suggestion('or', 1, `there is no ||; write ${isPipe ? '| before an operator, or ' : ''}or`);
  }
  if (token.kind !== 'word' && token.kind !== 'negated') return undefined;
  if (token.text === 'matches' || token.text === '!matches') return matchesRegex(p, token.text);
  const operator = infixOperators.get(token.text);
  if (operator !== undefined) return { operator, length: 1 };
  const today = oldInfixNames.get(token.text);
  if (today !== undefined && operandFollows(p)) {
    const { mistake, ...found } = suggestion(today, 1, `${token.text} is now written ${today}`);
    return { ...found, ...(mistake && { mistake: { ...mistake, isRead: true } }) };
  }
  if (FOLLOWERS.has(token.text) || token.text === 'AS' || operatorNameAt(p) !== undefined) return undefined;
  return understand(p, token.text);
}

function matchesRegex(p: Parser, word: string): FoundInfix | undefined {
  const name = `${word} regex`;
  if (p.at('regex', 1)) return { operator: infixOperators.get(name)!, length: 2 };
  if (!operandFollows(p)) return undefined;
  return suggestion(name, 1, `${word} is written ${name}`);
}

function understand(p: Parser, written: string): FoundInfix | undefined {
  const lower = written.toLowerCase();
  const word = p.peek(1).text.toLowerCase();
  if (lower === 'not' && infixOperators.has(`!${word}`))
    return suggestion(`!${word}`, 2, `not ${word} is written !${word}`);
  if (lower === 'not' && word === 'matches')
    return suggestion('!matches regex', p.at('regex', 2) ? 3 : 2, 'not matches is written !matches regex');
  const foreign = lower === 'not' ? foreignOperators.get(word) : undefined;
  if (foreign !== undefined) {
    const message = `there is no operator ${written} ${p.peek(1).text}; write !contains, or not(…) around a test: ${foreign}`;
    return { operator: infixOperators.get('!contains')!, length: 2, mistake: { message } };
  }
  if (!operandFollows(p)) return undefined;
  if (infixOperators.has(lower)) return suggestion(lower, 1, `operators are written in lower case: ${lower}`);
  const advice = foreignOperators.get(lower);
  if (advice !== undefined) {
    return {
      operator: infixOperators.get('contains')!,
      length: 1,
      mistake: { message: `there is no operator ${written}; ${advice}` },
    };
  }
  const meant = findNearest(written, infixOperators.keys());
  return meant === undefined
    ? undefined
    : suggestion(meant, 1, `there is no operator ${written}; did you mean ${meant}?`);
}

function suggestion(name: string, length: number, message: string): FoundInfix {
  return {
    operator: infixOperators.get(name)!,
    length,
    mistake: { message, fix: { title: `Write ${name}`, replacement: name } },
  };
}

/** Whether the token after the next one begins an operand. */
function operandFollows(p: Parser): boolean {
  const { kind, text } = p.peek(1);
  return (
    (kind !== 'punctuation' && kind !== 'end' && kind !== 'negated') || text === '(' || text === '[' || text === '-'
  );
}

/** Takes the operator, reports an error in it, and returns its span. */
export function takeInfix(p: Parser, { length, mistake }: Pick<FoundInfix, 'length' | 'mistake'>): Span {
  const { start } = p.peek();
  for (let taken = 0; taken < length; taken++) p.take();
  const span = p.spanFrom(start);
  if (mistake?.isRead === true) p.warning(span, mistake.message, mistake.fix);
  else if (mistake !== undefined) p.error(span, mistake.message, mistake.fix, 'unknown_operator');
  return span;
}
