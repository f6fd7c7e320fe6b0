/**
 * Fixed limits of a query: they follow from the compiler and the engine, and real queries stay far
 * below them. docs/limits.md lists them.
 */

/** An entry of docs/limits.md. */
export interface QueryBound {
  readonly max: number;
  /** The limited quantity, as a plural noun. */
  readonly what: string;
  readonly reason: string;
}

export const queryBounds = {
  textLength: {
    max: 1_048_576,
    what: 'characters of a query',
    reason: 'Longer text is rejected before parsing; 1 MB is thousands of times a long query.',
  },
  nesting: {
    max: 200,
    what: 'nested brackets, calls and prefix operators',
    reason: 'Each level uses about a dozen stack frames in the parser.',
  },
  treeHeight: {
    max: 1000,
    what: 'levels of an expression, including chains such as `a + b + c`',
    reason: 'Functions recurse over expressions.',
  },
  diagnostics: {
    max: 50,
    what: 'errors and warnings reported per query; further ones are dropped',
    reason: 'More do not help the author.',
  },
  nestedDefinitions: {
    max: 16,
    what: 'nested views, virtual fields and functions',
    reason: 'Enough for real queries, and safe for the stack.',
  },
  tables: {
    max: 1000,
    what: 'table references, repeated ones included',
    reason: 'The engine plans 1,000 in seconds, 3,000 in a minute, and planning cannot be canceled.',
  },
  steps: {
    max: 2000,
    what: 'operators and definitions, counted per use of a table, view or function',
    reason: 'They compile in about a second; a union of 1,000 tables with a name and an operator each has 2,000.',
  },
  depth: {
    max: 400,
    what: 'plan steps on one table; an operator may be several',
    reason: 'Plan traversal recurses per step, with stack for twice as many. The longest real queries have dozens.',
  },
  innerWeight: {
    max: 1000,
    what: 'subqueries, weighted double per level of nesting',
    reason:
      'The engine replans inner ones repeatedly. 8 nested ones, or 500 separate ones, take 0.5 s; 24 nested ones a minute.',
  },
  definitions: {
    max: 100,
    what: 'nested table definitions',
    reason: 'Nested binding uses more stack than a chain of operators.',
  },
  copied: {
    max: 2000,
    what: 'copied plan steps',
    reason: 'Each costs as much as an original step, and copies of copies double.',
  },
  written: {
    max: 15 * 2 ** 20,
    what: 'bytes of literal tables',
    reason: 'A statement is limited to 32 MiB, and contains a table twice if it also computes totals.',
  },
  nodes: {
    max: 10_000,
    what: 'parts of expressions; a string test counts as 8, a test of all fields, such as a `search` term, as 32 or 40',
    reason:
      'A `case` with 2,500 branches, or as many aggregates: planned in 1 to 2 s, eight times as many in a minute.',
  },
  values: {
    max: 50_000,
    what: 'literal values',
    reason: 'They compile in 0.5 s and cost the engine little in lists and tables.',
  },
  computed: {
    max: 4 * 2 ** 20,
    what: 'characters of strings computed at compile time; the engine computes further ones',
    reason: 'Four times the longest query.',
  },
  repeated: {
    max: 15 * 2 ** 20,
    what: 'characters of defined strings, counted per use',
    reason: 'A statement is limited to 32 MiB, and contains a table twice if it also computes totals.',
  },
  patternColumns: {
    max: 8,
    what: 'columns that `basket`, `autocluster` and `diffpatterns` combine; further ones are left out, with a warning',
    reason: 'Each column doubles the combinations to count; 8 have 255.',
  },
  patterns: {
    max: 10_000,
    what: 'frequent values, and combinations of them, that these plugins compare; the most frequent are kept',
    reason: 'They are compared while compiling, in some milliseconds.',
  },
  parts: {
    max: 100_000,
    what: 'calls and columns of the generated statement',
    reason: 'The engine plans 10,000 in 0.5 to 1 s, and planning cannot be canceled.',
  },
  literals: {
    max: 16 * 2 ** 20,
    what: 'characters of strings in the generated statement',
    reason:
      'The engine accepts statements up to 32 MiB; sending half of that blocks other requests as long as acceptable.',
  },
} as const satisfies Readonly<Record<string, QueryBound>>;
