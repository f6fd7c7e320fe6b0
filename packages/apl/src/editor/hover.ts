import type { Catalog } from '../model/catalog.js';
import type { Span } from '../syntax/ast.js';
import { infixOperators, signOperators } from '../syntax/infix-operators.js';
import type { Keyword } from '../syntax/lexing/keywords.js';
import type { Token } from '../syntax/lexing/tokens.js';
import { fieldNamed } from '../plan/schema.js';
import { clauseAt } from './clause.js';
import { datasetEntry, fieldEntry, letEntry } from './columns.js';
import { callEntries, entryMarkdown, keywordEntry } from './entries.js';
import type { Entry } from './entries.js';
import { joinedStart, placeAt, tokensOf } from './place.js';
import type { Place } from './place.js';
import { scopeAt } from './scope.js';
import { operatorsByName, sourcesByName, statementsByName, stepAt } from './step.js';
import type { Step } from './step.js';

/** Documentation of the word at a position, for an editor. */
export interface Hover {
  readonly range: Span;
  readonly markdown: string;
}

/** Documentation of the word at `offset` (UTF-16 units); undefined where there is none. */
export function hover(text: string, offset: number, catalog: Catalog): Hover | undefined {
  const tokens = tokensOf(text);
  const at = tokens.findIndex(({ kind, start, end }) => kind !== 'end' && start <= offset && offset < end);
  const token = tokens[at];
  if (token === undefined) return undefined;
  const infix = infixAt(tokens, at);
  if (infix !== undefined) return hoverOf([keywordEntry(infix.keyword)], infix.range);
  const range = nameRange(tokens, at);
  if (range === undefined) return undefined;
  // The place of a cursor at the end of the word, so that the whole word counts as typed.
  const place =
    text[range.start] === '[' ? quotedPlace(text, tokens, range) : placeAt(text.slice(0, range.end), range.end);
  if (place === undefined) return undefined;
  const isCall = tokens.some((next, index) => next.text === '(' && tokens[index - 1]?.end === range.end);
  const step = stepAt(place);
  const span = { start: place.span.start, end: range.end };
  const entries = entriesAt(place, step, isCall, catalog);
  return entries.length === 0 ? undefined : hoverOf(entries, span);
}

const hoverOf = (entries: readonly Entry[], { start, end }: Span): Hover => ({
  range: { start, end },
  markdown: entries.map(entryMarkdown).join('\n\n---\n\n'),
});

/**
 * The operator between two values that the token is, or is part of: `matches regex` has two words.
 */
function infixAt(
  tokens: readonly Token[],
  at: number,
): { readonly keyword: Keyword; readonly range: Span } | undefined {
  const token = tokens[at]!;
  const begin = token.text === 'regex' && /^!?matches$/.test(tokens[at - 1]?.text ?? '') ? at - 1 : at;
  const isMatches = /^!?matches$/.test(tokens[begin]!.text) && tokens[begin + 1]?.text === 'regex';
  const name = isMatches ? `${tokens[begin]!.text} regex` : token.text;
  const keyword = infixOperators.get(name) ?? signs.get(name);
  // Dashes and stars within names are not operators.
  const previous = tokens[at - 1];
  const isPart = /^[-*]$/.test(name) && previous?.end === token.start && tokens[at + 1]?.start === token.end;
  if (keyword === undefined || isPart) return undefined;
  return { keyword, range: { start: tokens[begin]!.start, end: isMatches ? tokens[begin + 1]!.end : token.end } };
}

const signs: ReadonlyMap<string, Keyword> = new Map(signOperators.map((sign) => [sign.name, sign]));

/**
 * The name the token belongs to: a word, a quoted name with its brackets, or on a dash the name of
 * an operator.
 */
function nameRange(tokens: readonly Token[], at: number): Span | undefined {
  const token = tokens[at]!;
  if (token.kind === 'word' || (token.text === '-' && tokens[at + 1]?.kind === 'word')) {
    let end = token.text === '-' ? at + 1 : at;
    // Includes the rest of `project-away` if, together with the words before it, it is the name of
    // an operator.
    for (let next = end; tokens[next + 1]?.text === '-' && tokens[next + 2]?.kind === 'word'; next += 2) {
      if (tokens[next + 1]!.start !== tokens[next]!.end || tokens[next + 2]!.start !== tokens[next + 1]!.end) break;
      if (operatorsByName.has(wordsTo(tokens, next + 2))) end = next + 2;
    }
    return { start: token.start, end: tokens[end]!.end };
  }
  for (const open of [at, at - 1, at - 2]) {
    const [bracket, name, closing] = tokens.slice(Math.max(0, open), Math.max(0, open) + 3);
    if (open >= 0 && bracket?.text === '[' && name?.kind === 'string' && closing?.text === ']')
      return { start: bracket.start, end: closing.end };
  }
  return undefined;
}

/** The dashed name that ends with the token `last`. */
function wordsTo(tokens: readonly Token[], last: number): string {
  return tokens
    .slice(joinedStart(tokens, last, '-'), last + 1)
    .map(({ text }) => text)
    .join('');
}

/** The place at the end of a quoted name, inside its quotes. */
function quotedPlace(text: string, tokens: readonly Token[], range: Span): Place | undefined {
  const name = tokens.find(({ kind, start }) => kind === 'string' && start > range.start);
  if (name === undefined) return undefined;
  const place = placeAt(text.slice(0, range.end), name.end - 1);
  return place === undefined ? undefined : { ...place, typed: String(name.value) };
}

/**
 * Possible meanings of the word, most likely first; one meaning, unless a function and an aggregate
 * share a name.
 */
function entriesAt(place: Place, step: Step, isCall: boolean, catalog: Catalog): readonly Entry[] {
  const { typed, quoted } = place;
  const isFirst = place.before.length === step.first;
  if (step.keyword === undefined && !quoted) {
    const keyword = step.piped ? operatorsByName.get(typed) : (sourcesByName.get(typed) ?? statementsByName.get(typed));
    const isDataset = !step.piped && catalog.names.includes(typed);
    if (isFirst && keyword !== undefined && !isDataset) return [keywordEntry(keyword)];
  }
  const [side, name] = /^\$(left|right)\.(.+)$/.exec(typed)?.slice(1) ?? ['', typed];
  const { schema, right, lets } = scopeAt(place, step, catalog, name);
  const own = lets.get(name!);
  if (isCall && !quoted) {
    const calls = own?.kind === 'function' ? [letEntry(typed, own)] : callEntries(typed);
    if (calls.length > 0) return calls;
  }
  const field = longestField(side === 'right' ? (right ?? { fields: [] }) : schema, name!);
  if (field !== undefined) return [fieldEntry(field)];
  if (own !== undefined && side === '') return [letEntry(name!, own)];
  if (catalog.names.includes(typed) && (isFirst || takesTables(place, step))) return [datasetEntry(typed)];
  const isWord = step.keyword !== undefined && clauseAt(place, step)?.template.words.has(typed) === true;
  return isWord && !quoted ? [keywordEntry(step.keyword)] : [];
}

const takesTables = (place: Place, step: Step): boolean => clauseAt(place, step)?.expects.includes('dataset') === true;

/**
 * `a.b.c` is the column of exactly that name; if there is none, a member of `a.b` or else of `a`,
 * the first that is a column.
 */
function longestField(schema: Parameters<typeof fieldNamed>[0], path: string): ReturnType<typeof fieldNamed> {
  for (let name = path; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const found = fieldNamed(schema, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
