import { fieldText, stringText } from '../data/apl-text.js';

/** A field of the searched dataset; types of several values are joined by `|`. */
export interface SearchField {
  readonly name: string;
  readonly type: string;
}

/** A piece of search text: a word or phrase, a condition on a field, or an operator. */
export type Term =
  | { readonly kind: 'text'; readonly text: string; readonly not: boolean }
  | { readonly kind: 'condition'; readonly apl: string; readonly not: boolean }
  | { readonly kind: 'and' | 'or' | 'not' | 'open' | 'close' };

const WORD = /[^\s()]+/y;
const QUOTED = /(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')(?:[~^][\d.]*)?(?=[\s)]|$)/y;
const NAME = String.raw`([\p{L}_@$][\w.@/-]*)`;
const VALUE = String.raw`("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s()"']+)(?=[\s)]|$)`;
const TIGHT = new RegExp(`${NAME}(:(?:>=|<=|>|<)?|!=|>=|<=|==|=~|=|>|<)${VALUE}`, 'uy');
/** Lucene: `field:[400 TO 499]`, `field:(a OR b)`, `field:/regex/`. */
const RANGE = new RegExp(`${NAME}:([[{])\\s*(\\S+)\\s+TO\\s+([^\\s\\]}]+)\\s*([\\]}])`, 'uy');
const CHOICE = new RegExp(`${NAME}\\s*:\\s*\\(([^()]*)\\)`, 'uy');
const REGEX = new RegExp(String.raw`${NAME}:/((?:[^/\\]|\\.)+)/(?=[\s)]|$)`, 'uy');
const SPACED = new RegExp(
  String.raw`${NAME}(?:\s+(!=|>=|<=|==|=~|=|>|<|!?(?:has|contains|startswith|endswith)(?:_cs)?)|\s*(:))\s+${VALUE}`,
  'uy',
);

/** Splits search text into terms. Without `fields` each name may be a field. */
export function termsOf(text: string, fields: readonly SearchField[] | undefined): readonly Term[] {
  const terms: Term[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text) ?? undefined;
  };
  while (at < text.length) {
    if (/[\s,]/.test(text[at]!)) at++;
    else if (text[at] === '(' || text[at] === ')') terms.push({ kind: text[at++] === '(' ? 'open' : 'close' });
    else {
      const not = text[at] === '-' && /[^\s-]/.test(text[at + 1] ?? ' ');
      if (not || /^\+["\p{L}]/u.test(text.slice(at, at + 3))) at++;
      const [term, length] = nextTerm(take, fields, not);
      const word = text.slice(at, at + length);
      const joint = JOINTS[word];
      at += length;
      // In lower case they join conditions only: between words they are words.
      if (word === 'not' && conditionAfter(take)) terms.push({ kind: 'not' });
      else if (joint !== undefined && isJoined(terms.at(-1)?.kind) && conditionAfter(take)) terms.push(joint);
      else if (term !== undefined) terms.push(term);
    }
  }
  return terms;

  function conditionAfter(read: Take): boolean {
    const before = at;
    at += read(/(?:\s|\(|not(?=[\s(]))*/y)?.[0].length ?? 0;
    const found = conditionAt(read, fields) !== undefined;
    at = before;
    return found;
  }
}

const isJoined = (kind: Term['kind'] | undefined): boolean => kind === 'condition' || kind === 'close';

const JOINTS: Readonly<Record<string, Term>> = { and: { kind: 'and' }, or: { kind: 'or' } };

type Take = (pattern: RegExp) => RegExpExecArray | undefined;

function nextTerm(
  take: Take,
  fields: readonly SearchField[] | undefined,
  not: boolean,
): readonly [term: Term | undefined, length: number] {
  const condition = conditionAt(take, fields);
  if (condition !== undefined) return [{ kind: 'condition', apl: condition.apl, not }, condition.length];
  const quoted = take(QUOTED);
  if (quoted !== undefined) {
    const text = unescapeText(quoted[1] ?? quoted[2]!);
    return [text === '' ? undefined : { kind: 'text', text, not }, quoted[0].length];
  }
  const word = take(WORD)?.[0] ?? ')';
  if (word === 'AND' || word === '&&') return [{ kind: 'and' }, word.length];
  if (word === 'OR' || word === '||') return [{ kind: 'or' }, word.length];
  if (word === 'NOT' || word === '!') return [{ kind: 'not' }, word.length];
  const text = word.replace(/^["']|[,;:"']+$/g, '');
  // Punctuation alone is no word.
  return [/[\p{L}\p{N}]/u.test(text) ? { kind: 'text', text, not } : undefined, word.length];
}

function conditionAt(
  take: Take,
  fields: readonly SearchField[] | undefined,
): { readonly apl: string; readonly length: number } | undefined {
  const lucene = luceneAt(take, fields);
  if (lucene !== undefined) return lucene;
  const tight = take(TIGHT);
  // Words around a comparison with spaces may be prose, so its field must be known.
  const found = tight ?? (fields === undefined ? undefined : take(SPACED));
  if (found === undefined) return undefined;
  const [all, name] = found;
  const [operator, value] = found.slice(2).filter((each) => each !== undefined);
  const isField = name === '_exists_' && operator === ':';
  const field = fieldNamed(isField ? value! : name!, fields);
  const apl = field === undefined ? undefined : conditionOn(field, operator!, isField ? '*' : value!);
  return apl === undefined ? undefined : { apl, length: all.length };
}

/** A range, a choice or a regular expression, as Lucene and KQL write them. */
function luceneAt(
  take: Take,
  fields: readonly SearchField[] | undefined,
): { readonly apl: string; readonly length: number } | undefined {
  const fieldOf = (name: string | undefined): SearchField | undefined =>
    name === undefined ? undefined : fieldNamed(name, fields);
  const range = take(RANGE);
  const ranged = fieldOf(range?.[1]);
  if (range !== undefined && ranged !== undefined) {
    const [all, , open, low, high, close] = range;
    const ends = [
      low === '*' ? undefined : conditionOn(ranged, open === '[' ? '>=' : '>', low!),
      high === '*' ? undefined : conditionOn(ranged, close === ']' ? '<=' : '<', high!),
    ].filter((each) => each !== undefined);
    const apl = ends.length === 0 ? `isnotnull(${fieldText(ranged.name)})` : ends.join(' and ');
    return { apl: ends.length > 1 ? `(${apl})` : apl, length: all.length };
  }
  const choice = take(CHOICE);
  const chosen = fieldOf(choice?.[1]);
  if (choice !== undefined && chosen !== undefined) {
    const values = choice[2]!.match(/"(?:[^"\\]|\\.)*"|[^\s]+/g) ?? [];
    const isAll = values.some((each) => /^and$/i.test(each));
    const conditions = values.filter((each) => !/^(or|and)$/i.test(each)).map((each) => conditionOn(chosen, ':', each));
    if (conditions.length > 0 && conditions.every((each) => each !== undefined))
      return { apl: `(${conditions.join(isAll ? ' and ' : ' or ')})`, length: choice[0].length };
  }
  const regex = take(REGEX);
  const matched = fieldOf(regex?.[1]);
  if (regex === undefined || matched === undefined) return undefined;
  const pattern = stringText(`^(?:${regex[2]!.replaceAll('\\/', '/')})$`);
  return { apl: `${fieldText(matched.name)} matches regex ${pattern}`, length: regex[0].length };
}

function fieldNamed(name: string, fields: readonly SearchField[] | undefined): SearchField | undefined {
  if (fields === undefined) return { name, type: 'unknown' };
  const found =
    fields.find((each) => each.name === name) ?? fields.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  // A key of a map field, or of an object whose fields are not listed.
  const isKey = fields.some((each) => /\bmap\b/.test(each.type) && name.startsWith(`${each.name}.`));
  return isKey ? { name, type: 'unknown' } : undefined;
}

const NUMBER = /^-?\d+(\.\d+)?$/;
const DURATION = /^\d+(\.\d+)?(d|h|m|s|ms|us|ns)$/;
const TIME = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d)?)?$/;

/** A condition in APL; undefined if the value is the rest of a URL. */
function conditionOn(field: SearchField, operator: string, written: string): string | undefined {
  const isQuoted = /^["']/.test(written);
  const value = isQuoted ? unescapeText(written.slice(1, -1)) : written;
  const name = fieldText(field.name);
  const literal = literalOf(field, value, isQuoted);
  if (/^[a-z!]+(_cs)?$/.test(operator) && operator !== '!') return `${name} ${operator} ${stringText(value)}`;
  if (operator === '=~') return `${name} =~ ${stringText(value)}`;
  if (operator === ':') {
    if (!isQuoted && value.startsWith('//')) return undefined;
    if (!isQuoted && value === '*') return `isnotnull(${name})`;
    const [, start, middle, end] = (isQuoted ? undefined : /^(\*?)([^*]+)(\*?)$/.exec(value)) ?? [];
    if (start === '*') return `${name} ${end === '*' ? 'contains' : 'endswith'} ${stringText(middle!)}`;
    if (end === '*') return `${name} hasprefix ${stringText(middle!)}`;
    return literal.isText ? `${name} has ${stringText(value)}` : `${name} == ${literal.apl}`;
  }
  const sign = operator.replace(/^:/, '');
  return `${name} ${sign === '=' ? '==' : sign} ${literal.apl}`;
}

function literalOf(
  { type }: SearchField,
  value: string,
  isQuoted: boolean,
): { readonly apl: string; readonly isText: boolean } {
  const is = (wanted: string): boolean => type === 'unknown' || type.split('|').includes(wanted);
  const bare = (apl: string) => ({ apl, isText: false });
  if (is('datetime') && TIME.test(value) && !(isQuoted && type === 'unknown')) return bare(`datetime(${value})`);
  if (!isQuoted) {
    if ((is('integer') || is('float')) && NUMBER.test(value)) return bare(value);
    if (is('timespan') && (DURATION.test(value) || NUMBER.test(value))) return bare(value);
    if (is('boolean') && /^(true|false)$/i.test(value)) return bare(value.toLowerCase());
    if (value === 'null') return bare('null');
  }
  return { apl: stringText(value), isText: true };
}

const unescapeText = (text: string): string => text.replaceAll(/\\(.)/gs, '$1');
