import { aggregateNamed } from '../aggregates/index.js';
import { infixOperators } from '../syntax/infix-operators.js';
import { typeNames } from '../syntax/names.js';
import { isValueEnd } from './place.js';
import type { Place } from './place.js';
import { topLevelTokens } from './step.js';
import type { Step } from './step.js';
import { templateOf } from './template.js';
import type { InputKind, Slot, Template } from './template.js';

/** The possible input at the cursor within the arguments of an operator. */
export interface Clause {
  readonly template: Template;
  /** The possible kinds of values here. */
  readonly expects: readonly InputKind[];
  /** The possible words here, such as the types or the kinds of join. */
  readonly choices: readonly string[];
  /** Whether only the choices may stand here. */
  readonly closed: boolean;
  /** Whether a value is expected here; otherwise one has just ended. */
  readonly operand: boolean;
  /**
   * Whether the cursor is outside the brackets within the operator, so that words of the operator
   * may stand here.
   */
  readonly own: boolean;
  /** Words and options of the operator that are already written. */
  readonly used: ReadonlySet<string>;
  /** The part of the operator the cursor is in. */
  readonly slot: Slot;
}

const expression: readonly InputKind[] = ['field', 'function', 'value'];

/**
 * Finds the part of an operator, source or statement at the cursor; undefined if the step has no
 * known keyword.
 */
export function clauseAt(place: Place, step: Step): Clause | undefined {
  if (step.keyword === undefined) return undefined;
  const template = templateOf(step.keyword);
  const inner = place.frames.slice(step.depth + 1);
  const end = inner[0]?.open ?? place.before.length;
  const { slot, used } = slotOf(template, place, step.first, end);
  const previous = place.before.at(-1);
  const operand =
    place.before.length <= step.first ||
    !isValueEnd(previous) ||
    (previous?.kind === 'word' && (template.words.has(previous.text) || BEFORE_VALUES.has(previous.text)));
  const common = { template, used, operand, slot, own: inner.length === 0 };
  const option = previous?.text === '=' ? template.options.get(place.before.at(-2)?.text ?? '') : undefined;
  if (option !== undefined && option.values.length > 0)
    return { ...common, expects: [], choices: option.values, closed: true };
  if (isTypePlace(place, step)) return { ...common, expects: [], choices: [...typeNames.keys()], closed: true };
  if (inner.length === 0)
    return { ...common, expects: slot.expects, choices: slot.choices, closed: slot.expects.length === 0 };
  return { ...common, expects: insideOf(place, step, slot), choices: [], closed: false };
}

/** Words before a value, in addition to those of the operator. */
const BEFORE_VALUES: ReadonlySet<string> = new Set([...infixOperators.keys(), 'not', 'regex']);

/** After the colon of a column or parameter, and directly inside `typeof(`. */
function isTypePlace({ before, frames }: Place, { keyword }: Step): boolean {
  const { open } = frames.at(-1)!;
  if (before.at(-1)?.text === ':') return keyword?.name !== 'search' && before[open]?.text !== '{';
  return open > 0 && before[open - 1]!.text === 'typeof' && before.length === open + 1;
}

/**
 * The part of the operator that the tokens from `first` to `end` lead to, and the words and options
 * used up to there.
 */
function slotOf(
  { slots, words, options }: Template,
  { before }: Place,
  first: number,
  end: number,
): { readonly slot: Slot; readonly used: ReadonlySet<string> } {
  let slot = slots[0]!;
  let list = slot;
  const used = new Set<string>();
  // Words that begin no part of the operator belong to one item of a list, and may be used again
  // after a comma.
  const perItem = [...words.keys()].filter((word) => !slots.some((part) => part.word === word && isPart(part)));
  const own = topLevelTokens(before.slice(first, end));
  for (const [index, { kind, text }] of own.entries()) {
    if (text === ',') {
      slot = list;
      for (const word of perItem) used.delete(word);
    } else if (kind !== 'word') continue;
    else if (own[index + 1]?.text === '=' && options.has(text)) used.add(text);
    else if (words.has(text)) {
      used.add(text);
      const next = slots.find(({ word }) => word === text);
      if (next !== undefined && isPart(next)) slot = next;
    }
    if (slot.list) list = slot;
  }
  return { slot, used };
}

const isPart = ({ expects, inside, choices }: Slot): boolean => expects.length + inside.length + choices.length > 0;

/** The possible input inside brackets, of the operator or of calls in its expressions. */
function insideOf(place: Place, step: Step, slot: Slot): readonly InputKind[] {
  const [bracket, ...deeper] = place.frames.slice(step.depth + 1);
  const openers = [bracket!, ...deeper].map(({ open }) => place.before[open - 1]);
  const isOwn = slot.word !== '' && openers[0]?.text === slot.word;
  const base = isOwn ? slot.inside : slot.expects;
  if (isOwn && deeper.length === 0) return base;
  const aggregates =
    base.includes('aggregate') && !openers.some((token) => aggregateNamed(token?.text ?? '') !== undefined);
  const fields = slot.expects.includes('field') || base.includes('aggregate') || base.includes('field');
  return [...(aggregates ? (['aggregate'] as const) : []), ...expression.filter((kind) => kind !== 'field' || fields)];
}
