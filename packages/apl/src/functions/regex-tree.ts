/**
 * A regular expression as a tree: alternatives, each of them a sequence of items. It keeps the text of all that has no structure of its own,
 * so that an expression can be written anew with other groups and still match the same.
 */
export type RegexTree = readonly (readonly RegexItem[])[];

export type RegexItem = RegexTextItem | RegexGroupItem;

interface Written {
  /** The item as written, without its repeat. */
  readonly text: string;
  readonly repeat: string;
  /** Whether the repeat lets it match more than once. */
  readonly repeats: boolean;
}

export interface RegexTextItem extends Written {
  /** `place` is what matches a place and no text, such as `^`; `flags` is `(?i)`, which holds until the group around it ends. */
  readonly kind: 'text' | 'place' | 'flags';
}

export interface RegexGroupItem extends Written {
  readonly kind: 'group';
  readonly captures: boolean;
  /** What stands before its content, such as `(` or `(?P<name>`. */
  readonly opening: string;
  readonly tree: RegexTree;
}

/** The expression as written, in a form that the engine reads rightly and that can stand inside a larger expression. */
export const asWritten = (tree: RegexTree): string => rewritten(tree, itemAsWritten);

const itemAsWritten = (item: RegexItem): string =>
  (item.kind === 'group' ? `${item.opening}${asWritten(item.tree)})` : item.text) + item.repeat;

/** The expression with groups that only hold together. */
export const uncaptured = (tree: RegexTree): string => rewritten(tree, uncapturedItem);

/** One item with groups that only hold together. */
export const uncapturedItem = (item: RegexItem): string =>
  item.kind === 'group'
    ? `${item.captures ? '(?:' : item.opening}${uncaptured(item.tree)})${item.repeat}`
    : item.text + item.repeat;

const rewritten = (tree: RegexTree, write: (item: RegexItem) => string): string =>
  tree.map((items) => items.map(write).join('')).join('|');
