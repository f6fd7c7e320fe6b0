import { readRegex } from '../../functions/re2.js';
import { withoutCaptures, uncapturedItem } from '../../functions/regex-tree.js';
import type { RegexGroupItem, RegexItem, RegexTree } from '../../functions/regex-tree.js';

/**
 * A regular expression whose groups together hold all the text of a match, in order and each
 * character once. A group in an alternative that does not match is empty.
 */
export interface RedactionRegex {
  readonly regex: string;
  /** For each group, whether its text must be hidden. */
  readonly secrets: readonly boolean[];
}

interface Markings {
  /** Together they hide all secrets. Each of them matches the same texts. */
  readonly markings: readonly RedactionRegex[];
  /** Why more is hidden than the groups hold; undefined if no more is. */
  readonly more?: string;
}

/** A replacement can refer to nine groups only. */
const MAX_GROUPS = 9;
/**
 * With more groups to hide than this, the whole match is hidden, because each marking is a pass
 * over the text.
 */
const MAX_SECRETS = 50;

/** The marking that hides whole matches. */
export const matchMarked = (regex: string): Markings => ({ markings: [wholeOf(treeOf(regex))] });

/**
 * The markings that hide the text of the groups, or the whole match if there are none. Nested
 * groups are part of the outer one. A group inside a part that repeats would hold only its last
 * repetition, so the whole part is hidden.
 */
export function groupsMarked(regex: string): Markings {
  const tree = treeOf(regex);
  const secrets = secretsIn(tree);
  if (secrets.length === 0) return { markings: [wholeOf(tree)] };
  if (secrets.length > MAX_SECRETS)
    return { markings: [wholeOf(tree)], more: `it has more than ${MAX_SECRETS} groups, so whole matches are hidden` };
  const markings: RedactionRegex[] = [];
  let chosen = new Set<RegexItem>();
  for (const secret of secrets) {
    const more = new Set([...chosen, secret]);
    if (chosen.size === 0 || markGroups(tree, more).secrets.length <= MAX_GROUPS) {
      chosen = more;
      continue;
    }
    markings.push(markGroups(tree, chosen));
    chosen = new Set([secret]);
  }
  markings.push(markGroups(tree, chosen));
  if (markings.some((marking) => marking.secrets.length > MAX_GROUPS))
    return { markings: [wholeOf(tree)], more: 'its groups are nested too deep, so whole matches are hidden' };
  const widened = secrets.find((secret) => !isCovered(secret));
  if (widened === undefined) return { markings };
  return { markings, more: `the group in ${widened.text}${widened.repeat} repeats, so all of that is hidden` };
}

function treeOf(regex: string): RegexTree {
  const reading = readRegex(regex);
  if (!reading.ok) throw new RangeError(reading.message);
  return reading.shape.tree;
}

const wholeOf = (tree: RegexTree): RedactionRegex => ({ regex: `(${withoutCaptures(tree)})`, secrets: [true] });

/** The outermost groups and the repeated parts that contain groups. */
const secretsIn = (tree: RegexTree): readonly RegexGroupItem[] =>
  tree.flat().flatMap((item) => {
    if (item.kind !== 'group') return [];
    if (item.captures) return [item];
    const inside = secretsIn(item.tree);
    return item.repeats && inside.length > 0 ? [item] : inside;
  });

/** Whether groups hold all the text that an item matches. */
const isCovered = (item: RegexItem): boolean => {
  if (item.kind !== 'group') return item.kind !== 'text';
  return item.captures || item.tree.flat().every(isCovered);
};

/**
 * The expression with a group around each chosen secret, and groups around all the text between
 * them.
 */
function markGroups(tree: RegexTree, chosen: ReadonlySet<RegexItem>): RedactionRegex {
  const secrets: boolean[] = [];
  const group = (regex: string, secret: boolean): string => {
    secrets.push(secret);
    return `(${regex})`;
  };
  const holdsChosen = (item: RegexItem): boolean =>
    chosen.has(item) || (item.kind === 'group' && item.tree.flat().some(holdsChosen));
  const sequence = (items: readonly RegexItem[]): string => {
    let out = '';
    let between = '';
    let hasText = false;
    let flags = '';
    const flush = (): void => {
      // Flags set inside a group end with it, so they are set again after it.
      out += hasText ? group(between, false) + flags : between;
      between = '';
      hasText = false;
      flags = '';
    };
    for (const item of items) {
      if (item.kind !== 'group' || !holdsChosen(item)) {
        between += uncapturedItem(item);
        if (item.kind === 'flags') flags += item.text;
        else if (item.kind !== 'place') hasText = true;
        continue;
      }
      flush();
      // The repeat is put inside the group, which would otherwise hold only its last repetition.
      if (chosen.has(item)) out += group(uncapturedItem(item), true);
      else out += `${item.opening}${alternatives(item.tree)})${item.repeat}`;
    }
    flush();
    return out;
  };
  const alternatives = (branches: RegexTree): string => branches.map(sequence).join('|');
  return { regex: alternatives(tree), secrets };
}
