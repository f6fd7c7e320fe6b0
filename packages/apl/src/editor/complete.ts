import type { Catalog, Field } from '../model/catalog.js';
import type { Span } from '../syntax/ast.js';
import { infixOperators, signOperators } from '../syntax/infix-operators.js';
import { operators, sources, statements } from '../syntax/lexing/keywords.js';
import { quoteName } from '../syntax/names.js';
import { clauseAt } from './clause.js';
import type { Clause } from './clause.js';
import { datasetEntry, fieldEntry, letEntry, nameText } from './columns.js';
import { aggregateEntries, functionEntries, keywordEntry } from './entries.js';
import type { Entry } from './entries.js';
import { isValueEnd, placeAt } from './place.js';
import type { Place } from './place.js';
import { rank } from './rank.js';
import { scopeAt } from './scope.js';
import type { EditorScope } from './scope.js';
import { stepAt } from './step.js';
import type { Step } from './step.js';

export type CompletionKind = 'operator' | 'function' | 'aggregate' | 'field' | 'dataset' | 'keyword' | 'value';

/** Something that may be written at the cursor. */
export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** Replaces the text at `range`. */
  readonly insertText: string;
  readonly range: Span;
  /** Its type, its signature or how it is written. */
  readonly detail: string;
  /** Markdown. */
  readonly documentation: string;
}

/**
 * How many rare fields are shown at once: enough to choose from, when a dataset may have a hundred
 * thousand.
 */
const MAX_RARE_FIELDS = 100;

interface Candidate extends Entry {
  readonly kind: CompletionKind;
  readonly insertText: string;
}

/**
 * Completions at `offset` (UTF-16 units), best first: labels that begin with the typed text, then
 * labels that contain it. Offers the columns that the preceding steps produce, regardless of errors
 * after the cursor. Empty in comments and strings.
 */
export function complete(text: string, offset: number, catalog: Catalog): readonly Completion[] {
  const place = placeAt(text, offset);
  if (place === undefined) return [];
  const step = stepAt(place);
  const side = /^(\$left|\$right)\./.exec(place.typed)?.[0] ?? '';
  const typed = place.typed.slice(side.length);
  const range = { start: place.span.start + side.length, end: place.span.end };
  const ranked: { readonly item: Completion; readonly rank: number; readonly group: number }[] = [];
  const found = side === '' ? candidates(place, step, catalog) : sideFields(side, scopeAt(place, step, catalog));
  const groups = new Map<CompletionKind, number>();
  for (const { name: label, kind, insertText, detail, documentation } of found) {
    if (!groups.has(kind)) groups.set(kind, groups.size);
    const how = rank(typed, label);
    if (how === undefined || (place.quoted && kind !== 'field' && kind !== 'dataset')) continue;
    const inserted = place.quoted ? quoteName(label) : insertText;
    const item = { label, kind, insertText: inserted, range, detail, documentation };
    ranked.push({ item, rank: how, group: groups.get(kind)! });
  }
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return ranked
    .toSorted((a, b) => a.rank - b.rank || a.group - b.group || order(a.item.label, b.item.label))
    .map(({ item }) => item);
}

/** Candidates in groups by kind, the likeliest first. */
function candidates(place: Place, step: Step, catalog: Catalog): Iterable<Candidate> {
  if (step.keyword === undefined) {
    if (place.before.length > step.first)
      return step.piped || !isValueEnd(place.before.at(-1)) || goesOn(place) ? [] : [pipe];
    if (step.piped) return operatorCandidates;
    const begins = step.depth === 0 ? [...statements, ...sources] : sources;
    return [...tables(place, step, catalog), ...begins.map((keyword) => word(keyword.name, keywordEntry(keyword)))];
  }
  const clause = clauseAt(place, step);
  return clause === undefined ? [] : clauseCandidates(place, step, clause, catalog);
}

const goesOn = ({ text, span }: Place): boolean => /^\s*\|/.test(text.slice(span.end));

const pipe: Candidate = {
  name: '|',
  kind: 'keyword',
  insertText: '| ',
  detail: '| operator',
  documentation: 'Hands the rows to an operator.',
};

const word = (
  name: string,
  { detail, documentation }: Omit<Entry, 'name'>,
  kind: CompletionKind = 'keyword',
): Candidate => ({
  name,
  kind,
  insertText: name,
  detail,
  documentation,
});

const operatorCandidates = operators.map((keyword) => word(keyword.name, keywordEntry(keyword), 'operator'));

function* clauseCandidates(place: Place, step: Step, clause: Clause, catalog: Catalog): Generator<Candidate> {
  const { keyword } = step;
  const about = keywordEntry(keyword!);
  for (const choice of clause.choices) yield word(choice, about, 'keyword');
  if (clause.choices.length > 0 && clause.closed) return;
  if (!clause.operand) {
    if (clause.own) yield* words(place, clause, about);
    if (clause.expects.length > 0) yield* infixCandidates;
    return;
  }
  if (clause.own && clause.expects.length === 0) yield* words(place, clause, about);
  const beginsLet = keyword?.name === 'let' && place.before.at(-1)?.text === '=';
  if (beginsLet || clause.expects.includes('dataset')) yield* tables(place, step, catalog);
  if (beginsLet || (clause.own && clause.expects.includes('dataset')))
    yield* sources.map((source) => word(source.name, keywordEntry(source)));
  yield* valueCandidates(place, step, clause, catalog);
  if (clause.own && clause.expects.length > 0) yield* words(place, clause, about);
  else if (!clause.own) yield* options(clause, about);
}

function* valueCandidates(place: Place, step: Step, { expects }: Clause, catalog: Catalog): Generator<Candidate> {
  if (!expects.some((kind) => kind !== 'dataset')) return;
  const scope = scopeAt(place, step, catalog);
  const inBrackets = place.frames.length > step.depth + 1;
  if (expects.includes('aggregate')) yield* aggregateEntries().map((entry) => callCandidate(entry, 'aggregate'));
  if (expects.includes('field')) yield* fields(place, step, scope);
  if (expects.includes('value')) {
    for (const [name, value] of scope.lets)
      if (value.kind !== 'table') yield letCandidate(name, letEntry(name, value), value.kind);
    if (scope.right !== undefined && !inBrackets)
      for (const side of ['$left', '$right'])
        yield word(side, { detail: `${side}.field`, documentation: 'A field of one side of the join.' }, 'value');
  }
  if (expects.includes('function')) yield* functionCandidates;
  if (expects.includes('value')) yield* literals;
}

const literals = ['true', 'false', 'null'].map((name) =>
  word(name, { detail: name, documentation: `The value ${name}.` }),
);

/** Inserts the beginning of a call, or all of it if it takes no arguments. */
const callCandidate = (entry: Entry, kind: CompletionKind): Candidate => ({
  ...entry,
  kind,
  insertText: entry.detail === `${entry.name}()` ? `${entry.name}()` : `${entry.name}(`,
});

const functionCandidates = functionEntries().map((entry) => callCandidate(entry, 'function'));

const letCandidate = (name: string, entry: Entry, kind: 'scalar' | 'function'): Candidate =>
  kind === 'function' ? callCandidate(entry, 'function') : { ...entry, kind: 'value', insertText: nameText(name) };

const fieldCandidate = (field: Parameters<typeof fieldEntry>[0]): Candidate => ({
  ...fieldEntry(field),
  kind: 'field',
  insertText: nameText(field.name),
});

function* fields(place: Place, { keyword }: Step, { schema, right, rare }: EditorScope): Generator<Candidate> {
  const isCondition = right !== undefined && (keyword?.name === 'join' || keyword?.name === 'lookup');
  const common = new Set(right?.fields.map(({ name }) => name));
  // In a join condition, a bare name means the fields of that name on both sides.
  yield* schema.fields.filter(({ name }) => !isCondition || common.has(name)).map(fieldCandidate);
  const known = new Set(schema.fields.map(({ name }) => name));
  let shown = 0;
  for (const field of rare() as Iterable<Field>) {
    if (known.has(field.name) || rank(place.typed, field.name) === undefined) continue;
    yield fieldCandidate(field);
    if (++shown === MAX_RARE_FIELDS) return;
  }
}

const sideFields = (side: string, { schema, right }: EditorScope): readonly Candidate[] =>
  (side === '$left.' ? schema : (right ?? { fields: [] })).fields.map(fieldCandidate);

function* tables(place: Place, step: Step, catalog: Catalog): Generator<Candidate> {
  for (const name of catalog.names) yield { ...datasetEntry(name), kind: 'dataset', insertText: nameText(name) };
  for (const [name, value] of scopeAt(place, step, catalog).lets) {
    if (value.kind === 'table') yield { ...letEntry(name, value), kind: 'dataset', insertText: nameText(name) };
    else if (value.kind === 'function' && value.body.kind === 'pipeline')
      yield callCandidate(letEntry(name, value), 'dataset');
  }
}

/**
 * Words of the operator that are not written yet and may follow the previous token, and its
 * options.
 */
function* words(place: Place, clause: Clause, about: Entry): Generator<Candidate> {
  const { template, used } = clause;
  const previous = place.before.at(-1)?.text ?? '';
  const led = [...template.words].filter(([, leader]) => leader === previous);
  const offered = led.length > 0 ? led : [...template.words].filter(([, leader]) => leader === undefined);
  for (const [name] of offered) if (!used.has(name)) yield word(name, about);
  yield* options(clause, about);
}

function* options({ template, slot, used, own }: Clause, about: Entry): Generator<Candidate> {
  for (const [name, option] of template.options)
    if (!used.has(name) && (option.word === slot.word || (!own && option.word === 'with')))
      yield { ...word(name, about), name: `${name}=`, insertText: `${name}=` };
}

const infixCandidates = [...infixOperators.values(), ...signOperators].map((operator) =>
  word(operator.name, keywordEntry(operator)),
);
