/**
 * Bounds of a query that are no settings: they follow from how the compiler and the engine are
 * made, and real queries stay far below them. docs/limits.md lists them.
 */

/** One that the page of limits shows. */
export interface QueryBound {
  readonly most: number;
  /** What there may be so many of. */
  readonly of: string;
  readonly reason: string;
}

export const queryBounds = {
  textLength: {
    most: 1_048_576,
    of: 'characters of a query',
    reason: 'Longer text is refused unread: a megabyte is thousands of times a long query.',
  },
  nesting: {
    most: 200,
    of: 'brackets, calls and prefix operators inside one another',
    reason: 'Each level costs the parser about a dozen frames of the stack.',
  },
  treeHeight: {
    most: 1000,
    of: 'levels of an expression, those of a chain such as `a + b + c` included',
    reason: 'What recurses over an expression has to survive it.',
  },
  diagnostics: {
    most: 50,
    of: 'errors that are told of one query, and warnings; further ones are left out',
    reason: 'After that many, whoever wrote it starts over anyway.',
  },
  nestedDefinitions: {
    most: 16,
    of: 'views, virtual fields and functions inside one another',
    reason: 'Enough for any real query, and little for the stack.',
  },
  tables: {
    most: 1000,
    of: 'tables that are read, each as often as it is named',
    reason:
      'The engine needs seconds to plan a thousand, a minute for three thousand, and cannot be stopped while it plans.',
  },
  steps: {
    most: 2000,
    of: 'operators and definitions, those of tables, views and functions as often as these are named',
    reason:
      'As many compile in about a second, whatever they do; a union of all tables takes two thousand if each has a name and a step.',
  },
  depth: {
    most: 400,
    of: 'steps of what is done to one table, of which an operator may be several',
    reason:
      'What walks over a plan goes deeper with each, and has stack for twice as many. The longest of real queries have some dozens.',
  },
  innerWeight: {
    most: 1000,
    of: 'queries in expressions, each counted twice as much for every query that it is inside of',
    reason:
      'The engine plans the inner ones again and again. Eight inside one another, or five hundred that are not, take it half a second; with 24 it takes a minute.',
  },
  definitions: {
    most: 100,
    of: 'tables that are defined by one another',
    reason: 'Binding one table inside another takes more stack than one operator after another.',
  },
  copied: {
    most: 2000,
    of: 'steps of plans that are copied',
    reason: 'Each is as much work as one that an operator has made, and copies of copies double.',
  },
  written: {
    most: 15 * 2 ** 20,
    of: 'bytes of tables that the query writes out',
    reason: 'A statement may have 32 MiB, and holds a table twice if it computes totals beside the answer.',
  },
  nodes: {
    most: 10_000,
    of: 'parts of expressions, where a test of text counts as eight, and one of all fields, as each term of `search` is, as 32 or 40',
    reason:
      'A `case` of 2500 branches, or as many aggregates, which the engine plans in one to two seconds; it takes a minute for eight times as many.',
  },
  values: {
    most: 50_000,
    of: 'values that the query writes out',
    reason: 'They cost the engine little in lists and tables: half a second of compiling.',
  },
  computed: {
    most: 4 * 2 ** 20,
    of: 'characters of texts that become other texts while the query is compiled; further ones are made by the engine',
    reason: 'As long as the longest query.',
  },
  repeated: {
    most: 15 * 2 ** 20,
    of: 'characters of texts that the query defines, each as often as it is named',
    reason: 'A statement may have 32 MiB, and holds a table twice if it computes totals beside the answer.',
  },
  parts: {
    most: 150_000,
    of: 'calls and columns of the statement that the query becomes',
    reason: 'The engine plans ten thousand of them in half a second to a second, and cannot be stopped while it does.',
  },
  literals: {
    most: 16 * 2 ** 20,
    of: 'characters of texts in that statement',
    reason:
      'The engine reads statements of up to 32 MiB, and handing over half of that takes as long as anything may that others wait for.',
  },
} as const satisfies Readonly<Record<string, QueryBound>>;
