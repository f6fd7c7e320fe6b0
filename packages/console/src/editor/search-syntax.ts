import { datasetText, fieldText, stringText } from '../data/apl-text.js';
import { isTraceId, traceFields } from '../data/results/trace-ids.js';
import { conditionOfEvent } from './search-event.js';
import { type SearchField, type Term, termsOf } from './search-terms.js';

/** Maximum words of one search: each is tested in every field. */
const MAX_WORDS = 16;

/** Timestamp at the start of a log line, with a syslog priority or brackets around it. */
const STAMP =
  /^\s*(?:<\d{1,3}>\d?\s*)?\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?\s*(?:Z\b|UTC\b|[+-]\d\d:?\d\d)?|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{1,2}\s+\d\d:\d\d:\d\d|\d\d:\d\d:\d\d(?:[.,]\d+)?)\]?\s*/;

/**
 * The query that search text means: words, `"phrases"`, `field:value`, `field>5`, `-word`, `AND`,
 * `OR`, `NOT`, parentheses; an ID, a log line or a JSON event. Without `fields` each name before
 * `:` or `=` counts as a field.
 */
export function searchToApl(text: string, dataset: string, fields?: readonly SearchField[]): string {
  const steps = searchSteps(text.trim(), fields);
  return [datasetText(dataset), ...steps].join('\n| ');
}

/** A dataset that can be searched. */
interface SearchedDataset {
  readonly name: string;
  readonly fields: readonly SearchField[];
}

/**
 * The query for text typed into the editor: over the dataset that it begins with, or else the
 * chosen one.
 */
export function typedSearchToApl(text: string, chosen: string, datasets: readonly SearchedDataset[]): string {
  const [, first = '', rest = ''] = /^\s*([\w.-]+)\s+(.*)$/s.exec(text) ?? [];
  const named = datasets.find(({ name }) => name === first);
  if (named !== undefined) return searchToApl(rest, named.name, named.fields);
  return searchToApl(text, chosen, datasets.find(({ name }) => name === chosen)?.fields);
}

/** Operators for search text. */
function searchSteps(text: string, fields: readonly SearchField[] | undefined): readonly string[] {
  const whole = conditionOfId(text, fields) ?? conditionOfEvent(text, fields);
  if (whole !== undefined) return [whole];
  const stamp = STAMP.exec(text)?.[0] ?? '';
  const line = stamp === '' ? text : withoutBrackets(text.slice(stamp.length).split('\n', 1)[0]!);
  const all = termsOf(line, fields);
  // In a log line `-` and `AND` are text.
  const terms = stamp === '' ? all : all.filter(isWordOrCondition).map((term) => ({ ...term, not: false }));
  const steps = stepsOf(parseTerms(first(terms)));
  return steps.length > 0 || text === '' ? steps : [`search ${stringText(text)}`];
}

const isWordOrCondition = (term: Term): boolean => term.kind === 'text' || term.kind === 'condition';

/** In a log line brackets mark parts and are not searched for. */
const withoutBrackets = (line: string): string => line.replaceAll(/[[\]{}()<>]+/g, ' ');

/** The first terms, without repeated words. */
function first(terms: readonly Term[]): readonly Term[] {
  const words = new Set<string>();
  return terms.filter((term) => {
    if (term.kind !== 'text') return true;
    if (words.has(`${term.not} ${term.text}`) || words.size >= MAX_WORDS) return false;
    words.add(`${term.not} ${term.text}`);
    return true;
  });
}

/** An ID in the fields for IDs, if the dataset has any. */
function conditionOfId(text: string, fields: readonly SearchField[] | undefined): string | undefined {
  if (!isTraceId(text) || !/[a-f]/i.test(text)) return undefined;
  const names = [...traceFields, ...(text.length === 16 ? ['span_id', 'spanId', 'parent_span_id'] : [])];
  const known = names.filter((name) => fields?.some((each) => each.name === name) === true);
  if (known.length === 0) return undefined;
  return `where ${known.map((name) => `${fieldText(name)} == ${stringText(text.toLowerCase())}`).join(' or ')}`;
}

type Node =
  | { readonly kind: 'text' | 'condition'; readonly apl: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Node[] }
  | { readonly kind: 'not'; readonly part: Node };

/**
 * Reads terms: `OR` binds weaker than `AND`, which may be left out. Unbalanced parentheses and
 * operators at an end are ignored.
 */
function parseTerms(terms: readonly Term[]): Node | undefined {
  let at = 0;
  const joinNodes = (kind: 'and' | 'or', parts: readonly Node[]): Node | undefined =>
    parts.length > 1 ? { kind, parts } : parts[0];
  const either = (depth: number): Node | undefined => {
    const parts: Node[] = [];
    for (;;) {
      const part = parseBoth(depth);
      if (part !== undefined) parts.push(part);
      if (terms[at]?.kind !== 'or') return joinNodes('or', parts);
      at++;
    }
  };
  const parseBoth = (depth: number): Node | undefined => {
    const parts: Node[] = [];
    for (;;) {
      const kind = terms[at]?.kind;
      if (kind === undefined || kind === 'or' || (kind === 'close' && depth > 0)) return joinNodes('and', parts);
      const part = one(depth);
      if (part !== undefined) parts.push(part);
    }
  };
  const one = (depth: number): Node | undefined => {
    const term = terms[at++];
    switch (term?.kind) {
      case 'text':
      case 'condition': {
        const node: Node = { kind: term.kind, apl: term.kind === 'text' ? stringText(term.text) : term.apl };
        return term.not ? { kind: 'not', part: node } : node;
      }
      case 'not': {
        const next = terms[at]?.kind;
        const part = next === undefined || next === 'or' || next === 'close' ? undefined : one(depth);
        return part === undefined ? undefined : { kind: 'not', part };
      }
      case 'open': {
        const inner = either(depth + 1);
        if (terms[at]?.kind === 'close') at++;
        return inner;
      }
      case 'and':
      case 'or':
      case 'close':
      case undefined:
        return undefined;
    }
  };
  return either(0);
}

/** Conditions on fields become a `where`, the others a `search`. */
function stepsOf(node: Node | undefined): readonly string[] {
  if (node === undefined) return [];
  const parts = node.kind === 'and' ? node.parts : [node];
  const wheres = parts.filter(hasOnlyConditions);
  const searches = parts.filter((part) => !hasOnlyConditions(part));
  const step = (name: string, nodes: readonly Node[]): readonly string[] =>
    nodes.length === 0 ? [] : [`${name} ${nodes.map((each) => writeNode(each, nodes.length > 1)).join(' and ')}`];
  return [...step('where', wheres), ...step('search', searches)];
}

function hasOnlyConditions(node: Node): boolean {
  switch (node.kind) {
    case 'text':
      return false;
    case 'condition':
      return true;
    case 'not':
      return hasOnlyConditions(node.part);
    case 'and':
    case 'or':
      return node.parts.every(hasOnlyConditions);
  }
}

function writeNode(node: Node, isPart = false): string {
  switch (node.kind) {
    case 'text':
    case 'condition':
      return node.apl;
    case 'not':
      return `not(${writeNode(node.part)})`;
    case 'and':
      return node.parts.map((part) => writeNode(part, true)).join(' and ');
    case 'or': {
      const all = node.parts.map((part) => writeNode(part, true)).join(' or ');
      return isPart ? `(${all})` : all;
    }
  }
}
