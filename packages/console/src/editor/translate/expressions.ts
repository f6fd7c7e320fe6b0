import { stringText } from '../../data/apl-text.js';
import type { AplName } from './names.js';
import type { TokenReader } from './tokens.js';

/** Expressions of SQL and SPL as APL. */

/** An expression in APL. */
export interface Expression {
  readonly apl: string;
  /** How tightly its outermost operator binds. */
  readonly level: number;
  /** Whether it aggregates rows. */
  readonly aggregates: boolean;
  /** The value of a string or number, as written. */
  readonly literal?: string;
  readonly isText?: boolean;
  readonly isTime?: boolean;
  /** The condition of `CASE WHEN condition THEN 1 END`, which is counted. */
  readonly counted?: string;
}

/** A function call: its arguments as expressions, and what else is written in it. */
export interface Call {
  readonly args: readonly Expression[];
  readonly isDistinct: boolean;
  readonly isStar: boolean;
}

/** What differs between languages. */
export interface Dialect {
  readonly name: (name: string) => AplName;
  /** The call of a function; undefined if it has no counterpart. */
  readonly call: (reader: TokenReader, name: string, call: Call) => Expression | undefined;
  /** The function that converts to a type. */
  readonly cast?: (type: string) => string | undefined;
  /** Expressions that begin with a keyword. */
  readonly special?: (reader: TokenReader, read: (level?: number) => Expression) => Expression | undefined;
  /** Whether LIKE compares regardless of case. */
  readonly likeIgnoresCase?: boolean;
}

const LEVELS = { or: 1, and: 2, compare: 4, add: 5, multiply: 6, atom: 9 } as const;

interface Infix {
  readonly apl: string;
  readonly level: number;
}

const infixes: Readonly<Record<string, Infix>> = {
  or: { apl: 'or', level: LEVELS.or },
  and: { apl: 'and', level: LEVELS.and },
  '&&': { apl: 'and', level: LEVELS.and },
  '=': { apl: '==', level: LEVELS.compare },
  '==': { apl: '==', level: LEVELS.compare },
  '!=': { apl: '!=', level: LEVELS.compare },
  '<>': { apl: '!=', level: LEVELS.compare },
  '<=': { apl: '<=', level: LEVELS.compare },
  '>=': { apl: '>=', level: LEVELS.compare },
  '<': { apl: '<', level: LEVELS.compare },
  '>': { apl: '>', level: LEVELS.compare },
  '~': { apl: 'matches regex', level: LEVELS.compare },
  '+': { apl: '+', level: LEVELS.add },
  '-': { apl: '-', level: LEVELS.add },
  '*': { apl: '*', level: LEVELS.multiply },
  '/': { apl: '/', level: LEVELS.multiply },
  '%': { apl: '%', level: LEVELS.multiply },
};

export const atom = (apl: string, more: Partial<Expression> = {}): Expression => ({
  apl,
  level: LEVELS.atom,
  aggregates: false,
  ...more,
});

const within = (part: Expression, level: number): string => (part.level < level ? `(${part.apl})` : part.apl);

/** A call of an APL function over expressions. */
export const callOf = (name: string, args: readonly Expression[], more: Partial<Expression> = {}): Expression =>
  atom(`${name}(${args.map(({ apl }) => apl).join(', ')})`, {
    aggregates: args.some((each) => each.aggregates),
    ...more,
  });

const negateCondition = (part: Expression): Expression => callOf('not', [part]);

/** A text compared with a pattern of `%` and `_`. */
export function likeOf(field: Expression, pattern: string, ignoresCase: boolean): Expression {
  const cs = ignoresCase ? '' : '_cs';
  const [, start, middle, end] = /^(%?)([^%_]*)(%?)$/.exec(pattern) ?? [];
  const compare = (operator: string, text: string): Expression => ({
    apl: `${within(field, LEVELS.add)} ${operator} ${stringText(text)}`,
    level: LEVELS.compare,
    aggregates: field.aggregates,
  });
  if (middle !== undefined) {
    if (start !== '' && end !== '') return compare(`contains${cs}`, middle);
    if (end !== '') return compare(`startswith${cs}`, middle);
    if (start !== '') return compare(`endswith${cs}`, middle);
    return compare(ignoresCase ? '=~' : '==', middle);
  }
  const escaped = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const regex = escaped.replaceAll('%', '.*').replaceAll('_', '.');
  return compare('matches regex', `${ignoresCase ? '(?i)' : ''}^${regex}$`);
}

/** Reads expressions up to a word or sign that is no operator. */
export function expressionReader(reader: TokenReader, dialect: Dialect): (level?: number) => Expression {
  const read = (min = 0): Expression => {
    let left = operand();
    while (dialect.cast !== undefined && reader.accept('::')) {
      const type = reader.takeKind('name');
      const name = dialect.cast(type.text.toLowerCase());
      left = name === undefined ? reader.failAt(type) : callOf(name, [left]);
    }
    for (;;) {
      const next = after(left, min);
      if (next === undefined) return left;
      left = next;
    }
  };

  const joinConditions = (left: Expression, { apl, level }: Infix): Expression => {
    const right = read(level + 1);
    if (apl === 'and' && left.apl === 'true') return right;
    if (apl === 'and' && right.apl === 'true') return left;
    const [a, b] = [asTime(left, right), asTime(right, left)];
    return {
      apl: `${within(a, level)} ${apl} ${within(b, level + 1)}`,
      level,
      aggregates: left.aggregates || right.aggregates,
      isTime: level === LEVELS.add && (left.isTime === true || right.isTime === true),
    };
  };

  /** The expression with the operator that follows; undefined if none does. */
  function after(left: Expression, min: number): Expression | undefined {
    if (min <= LEVELS.compare) {
      const test = testAfter(left);
      if (test !== undefined) return test;
    }
    const { kind, text } = reader.next;
    const infix = kind === 'name' || kind === 'sign' ? infixes[text.toLowerCase()] : undefined;
    if (infix === undefined || infix.level < min) {
      if (min <= LEVELS.add && reader.accept('||')) {
        const right = read(LEVELS.multiply);
        return callOf('strcat', [left, right]);
      }
      return undefined;
    }
    reader.take();
    return joinConditions(left, infix);
  }

  /** `IS NULL`, `LIKE`, `IN`, `BETWEEN` and their negations. */
  function testAfter(left: Expression): Expression | undefined {
    if (reader.accept('is', 'not', 'null')) return callOf('isnotnull', [left]);
    if (reader.accept('is', 'null')) return callOf('isnull', [left]);
    const regex = reader.acceptAny(['!~', '~', 'regexp', 'rlike', 'not regexp', 'not rlike']);
    if (regex !== undefined) {
      const test = compareExpression(left, 'matches regex', read(LEVELS.add));
      return regex.startsWith('!') || regex.startsWith('not') ? negateCondition(test) : test;
    }
    const word = reader.acceptAny(['not like', 'not ilike', 'not in', 'not between', 'like', 'ilike', 'in', 'between']);
    if (word === undefined) return undefined;
    const isNot = word.startsWith('not ');
    const test = testOf(left, word.replace('not ', ''), isNot);
    return test;
  }

  function testOf(left: Expression, word: string, isNot: boolean): Expression {
    switch (word) {
      case 'in': {
        reader.expect('(');
        if (reader.at('select')) reader.fail();
        const values = list();
        return {
          ...compareExpression(left, isNot ? '!in' : 'in', atom(`(${values.map(({ apl }) => apl).join(', ')})`)),
        };
      }
      case 'between': {
        const low = asTime(read(LEVELS.add), left);
        reader.expect('and');
        const high = asTime(read(LEVELS.add), left);
        return compareExpression(left, isNot ? '!between' : 'between', atom(`(${low.apl} .. ${high.apl})`));
      }
      default: {
        const pattern = reader.takeKind('string').text;
        const test = likeOf(left, pattern, word === 'ilike' || dialect.likeIgnoresCase === true);
        return isNot ? negateCondition(test) : test;
      }
    }
  }

  const compareExpression = (left: Expression, operator: string, right: Expression): Expression => ({
    apl: `${within(left, LEVELS.add)} ${operator} ${within(right, LEVELS.add)}`,
    level: LEVELS.compare,
    aggregates: left.aggregates,
  });

  /** Expressions up to the closing parenthesis. */
  function list(): readonly Expression[] {
    const items: Expression[] = [];
    while (!reader.accept(')')) {
      if (items.length > 0) reader.expect(',');
      items.push(read());
    }
    return items;
  }

  function operand(): Expression {
    const special = dialect.special?.(reader, read);
    if (special !== undefined) return special;
    if (reader.accept('not')) return negateCondition(read(LEVELS.compare));
    if (reader.accept('-')) {
      const part = read(LEVELS.multiply);
      return { apl: `-${within(part, LEVELS.atom)}`, level: LEVELS.multiply, aggregates: part.aggregates };
    }
    if (reader.accept('(')) {
      if (reader.at('select')) reader.fail();
      const part = read();
      reader.expect(')');
      return part.level < LEVELS.atom ? { ...part, apl: `(${part.apl})`, level: LEVELS.atom } : part;
    }
    const { kind, text } = reader.next;
    if (kind === 'number') return reader.take() && atom(text, { literal: text });
    if (kind === 'string') return reader.take() && atom(stringText(text), { literal: text, isText: true });
    if (kind === 'name' && /^(true|false|null)$/i.test(text)) return reader.take() && atom(text.toLowerCase());
    if (kind === 'name' && reader.peek(1).text === '(' && reader.peek(1).kind === 'sign') return parseCall();
    return member(reader.takeName());
  }

  /** A field, or a member of one: `a->'b'`, `a['b']`. */
  function member(name: string): Expression {
    let { apl, isTime } = dialect.name(name);
    while (reader.accept('->') || reader.accept('->>')) {
      apl = `${apl}[${stringText(reader.takeKind('string').text)}]`;
      isTime = false;
    }
    while (reader.next.kind === 'sign' && reader.next.text === '[' && reader.peek(1).kind === 'string') {
      reader.take();
      apl = `${apl}[${stringText(reader.take().text)}]`;
      reader.expect(']');
      isTime = false;
    }
    return atom(apl, { isTime });
  }

  function parseCall(): Expression {
    const before = reader.next;
    const name = reader.take().text.toLowerCase();
    reader.expect('(');
    const isDistinct = reader.accept('distinct');
    const isStar = reader.accept('*');
    const args = isStar ? (reader.expect(')'), []) : list();
    return dialect.call(reader, name, { args, isDistinct, isStar }) ?? reader.failAt(before);
  }

  return read;
}

/** A text that is compared with a time is a time. */
const asTime = (part: Expression, other: Expression): Expression =>
  part.isText === true && other.isTime === true && /^\d{4}-\d\d/.test(part.literal ?? '')
    ? atom(`datetime(${part.literal!.replace(/^(\S+) (\S+)$/, '$1T$2')})`, { isTime: true })
    : part;
