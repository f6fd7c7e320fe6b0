/**
 * Fixed limits of a query: they follow from the compiler and the engine, and real queries stay far
 * below them. docs/limits.md lists them.
 */

/** An entry of docs/limits.md. */
export interface QueryBound {
  readonly most: number;
  /** The limited quantity, as a plural noun. */
  readonly of: string;
  readonly reason: string;
}

export const queryBounds = {
  textLength: {
    most: 1_048_576,
    of: 'characters of a query',
    reason: 'Longer text is rejected before parsing; 1 MB is thousands of times a long query.',
  },
  nesting: {
    most: 200,
    of: 'nested brackets, calls and prefix operators',
    reason: 'Each level uses about a dozen stack frames in the parser.',
  },
  treeHeight: {
    most: 1000,
    of: 'levels of an expression, including chains such as `a + b + c`',
    reason: 'Functions recurse over expressions.',
  },
  diagnostics: {
    most: 50,
    of: 'errors and warnings reported per query; further ones are dropped',
    reason: 'More do not help the author.',
  },
  nestedDefinitions: {
    most: 16,
    of: 'nested views, virtual fields and functions',
    reason: 'Enough for real queries, and safe for the stack.',
  },
  tables: {
    most: 1000,
    of: 'table references, repeated ones included',
    reason: 'The engine plans 1,000 in seconds, 3,000 in a minute, and planning cannot be canceled.',
  },
  steps: {
    most: 2000,
    of: 'operators and definitions, counted per use of a table, view or function',
    reason: 'They compile in about a second; a union of 1,000 tables with a name and an operator each has 2,000.',
  },
  depth: {
    most: 400,
    of: 'plan steps on one table; an operator may be several',
    reason: 'Plan traversal recurses per step, with stack for twice as many. The longest real queries have dozens.',
  },
  innerWeight: {
    most: 1000,
    of: 'subqueries, weighted double per level of nesting',
    reason:
      'The engine replans inner ones repeatedly. 8 nested ones, or 500 separate ones, take 0.5 s; 24 nested ones a minute.',
  },
  definitions: {
    most: 100,
    of: 'nested table definitions',
    reason: 'Nested binding uses more stack than a chain of operators.',
  },
  copied: {
    most: 2000,
    of: 'copied plan steps',
    reason: 'Each costs as much as an original step, and copies of copies double.',
  },
  written: {
    most: 15 * 2 ** 20,
    of: 'bytes of literal tables',
    reason: 'A statement is limited to 32 MiB, and contains a table twice if it also computes totals.',
  },
  nodes: {
    most: 10_000,
    of: 'parts of expressions; a string test counts as 8, a test of all fields, such as a `search` term, as 32 or 40',
    reason:
      'A `case` with 2,500 branches, or as many aggregates: planned in 1 to 2 s, eight times as many in a minute.',
  },
  values: {
    most: 50_000,
    of: 'literal values',
    reason: 'They compile in 0.5 s and cost the engine little in lists and tables.',
  },
  computed: {
    most: 4 * 2 ** 20,
    of: 'characters of strings computed at compile time; the engine computes further ones',
    reason: 'Four times the longest query.',
  },
  repeated: {
    most: 15 * 2 ** 20,
    of: 'characters of defined strings, counted per use',
    reason: 'A statement is limited to 32 MiB, and contains a table twice if it also computes totals.',
  },
  patternColumns: {
    most: 8,
    of: 'columns that `basket`, `autocluster` and `diffpatterns` combine; further ones are left out, with a warning',
    reason: 'Each column doubles the combinations to count; 8 have 255.',
  },
  patterns: {
    most: 10_000,
    of: 'frequent values, and combinations of them, that these plugins compare; the most frequent are kept',
    reason: 'They are compared while compiling, in some milliseconds.',
  },
  parts: {
    most: 100_000,
    of: 'calls and columns of the generated statement',
    reason: 'The engine plans 10,000 in 0.5 to 1 s, and planning cannot be canceled.',
  },
  literals: {
    most: 16 * 2 ** 20,
    of: 'characters of strings in the generated statement',
    reason:
      'The engine accepts statements up to 32 MiB; sending half of that blocks other requests as long as acceptable.',
  },
} as const satisfies Readonly<Record<string, QueryBound>>;
