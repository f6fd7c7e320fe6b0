/**
 * A regular expression as a tree: alternatives, each of them a sequence of items. Items without
 * structure keep their text, so that the expression can be printed with other groups and match the
 * same texts.
 */
export type RegexTree = readonly (readonly RegexItem[])[];

export type RegexItem = RegexTextItem | RegexGroupItem;

interface RegexItemBase {
  /** The item as written, without its repeat. */
  readonly text: string;
  readonly repeat: string;
  /** Whether the repeat lets it match more than once. */
  readonly repeats: boolean;
}

interface RegexTextItem extends RegexItemBase {
  /**
   * A `place` matches a position and no text, such as `^`; `flags` such as `(?i)` hold until the
   * surrounding group ends.
   */
  readonly kind: 'text' | 'place' | 'flags';
}

export interface RegexGroupItem extends RegexItemBase {
  readonly kind: 'group';
  readonly captures: boolean;
  /** The text before the group's content, such as `(` or `(?P<name>`. */
  readonly opening: string;
  readonly tree: RegexTree;
}

/**
 * The expression as written, but in a form that the engine reads correctly and that can be put
 * inside a larger expression.
 */
export const asWritten = (tree: RegexTree): string => rewritten(tree, itemAsWritten);

const itemAsWritten = (item: RegexItem): string =>
  (item.kind === 'group' ? `${item.opening}${asWritten(item.tree)})` : item.text) + item.repeat;

/** The expression with all groups non-capturing. */
export const withoutCaptures = (tree: RegexTree): string => rewritten(tree, uncapturedItem);

/** One item with all groups non-capturing. */
export const uncapturedItem = (item: RegexItem): string =>
  item.kind === 'group'
    ? `${item.captures ? '(?:' : item.opening}${withoutCaptures(item.tree)})${item.repeat}`
    : item.text + item.repeat;

const rewritten = (tree: RegexTree, write: (item: RegexItem) => string): string =>
  tree.map((items) => items.map(write).join('')).join('|');
