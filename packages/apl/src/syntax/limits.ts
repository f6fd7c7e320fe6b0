/**
 * Bounds of the parser. They keep time and stack finite on any text; real queries stay far below them.
 */
export const limits = {
  /** UTF-16 units of a query. Longer text is refused unread: a megabyte is thousands of times a long query. */
  textLength: 1_048_576,
  /** Brackets, calls and prefix operators inside each other. Each level costs about a dozen stack frames here. */
  nesting: 200,
  /** Height of the tree, counting chains such as `a + b + c`: what recursive readers of the tree must survive. */
  treeHeight: 1000,
  /** Errors reported for one text, and as many warnings. After so many the reader starts over anyway. */
  diagnostics: 50,
} as const;
