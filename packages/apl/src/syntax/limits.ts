/**
 * Limits of the parser. They bound time and stack on any text; real queries stay far below them.
 */
export const limits = {
  /**
   * UTF-16 units of a query. Longer text is refused unread: a megabyte is thousands of times a long
   * query.
   */
  textLength: 1_048_576,
  /**
   * Depth of nested brackets, calls and prefix operators. Each level costs the parser about a dozen
   * stack frames.
   */
  nesting: 200,
  /**
   * Height of the tree, counting chains such as `a + b + c`: the depth that code recursing over the
   * tree must survive.
   */
  treeHeight: 1000,
  /**
   * How many errors are reported for one text, and how many warnings. After that many, whoever
   * wrote it starts over anyway.
   */
  diagnostics: 50,
} as const;
