/** One keyword of the language, for completion, hover and the reference. */
export interface Keyword {
  readonly name: string;
  /** How it is written; optional parts in `[ ]`, alternatives with `|`. */
  readonly syntax: string;
  /** One line. */
  readonly doc: string;
}

/** Operators, which follow a pipe. */
export const operators = [
  { name: 'as', syntax: 'as Name', doc: 'Names the table at this point.' },
  { name: 'count', syntax: 'count [as Name]', doc: 'One row with the number of rows.' },
  { name: 'distinct', syntax: 'distinct Expr, …', doc: 'The different combinations of the listed columns.' },
  {
    name: 'evaluate',
    syntax:
      'evaluate pivot(Column [, Agg] [, Group, …]) | activity_counts_metrics(Field, Field, Expr, Expr, Expr [, Group, …]) | bag_unpack(Column [, Prefix [, Conflict [, Ignored]]]) | ipv4_lookup(Table, Expr, Field) | narrow() | preview(N) | rows_near(Predicate, N [, N]) | sliding_window_counts(Field, Field, Expr, Expr, Expr, Expr [, Group, …]) [: (Name: Type, …)]',
    doc: 'A column for each value of a column, or for each key of its objects; the networks of addresses; the rows near some rows; how many users there are over time.',
  },
  { name: 'extend', syntax: 'extend Name = Expr, …', doc: 'Adds columns, or replaces those of the same name.' },
  {
    name: 'extend-valid',
    syntax: 'extend-valid Name = Expr, …',
    doc: 'As extend, but empty, zero and false values become null.',
  },
  {
    name: 'facet',
    syntax: 'facet by Expr, … [with (Operator | …)]',
    doc: 'How often each value of several columns occurs, one column after the other.',
  },
  {
    name: 'find',
    syntax: 'find [withsource=Name] [in (Name, …)] where Predicate [project Expr, …]',
    doc: 'Rows of several datasets for which the predicate is true.',
  },
  {
    name: 'fork',
    syntax: 'fork [Name =] (Operator | …) …',
    doc: 'The results of several lists of operators over the same rows, one after the other.',
  },
  { name: 'getschema', syntax: 'getschema', doc: 'The names and types of the columns, as rows.' },
  {
    name: 'invoke',
    syntax: 'invoke Name(Expr, …)',
    doc: 'Calls a function of the query with the rows so far as its first argument.',
  },
  { name: 'join', syntax: 'join [kind=Kind] (Table) on Condition, …', doc: 'Combines rows of two tables that match.' },
  { name: 'limit', syntax: 'limit [N]', doc: 'The first rows; after a chart over time, the largest series.' },
  {
    name: 'lookup',
    syntax: 'lookup [kind=leftouter|inner] (Table) on Condition, …',
    doc: 'Adds columns of a small table to matching rows.',
  },
  {
    name: 'make-series',
    syntax: 'make-series Agg [default=V], … on Time [from A] [to B] step S [by Group, …]',
    doc: 'One row a group, with arrays of values over time.',
  },
  {
    name: 'mv-apply',
    syntax: 'mv-apply [kind=bag|array] [with_itemindex=Name] Column [to typeof(T)], … [limit N] on (Operator | …)',
    doc: 'Runs operators over the elements of each row.',
  },
  {
    name: 'mv-expand',
    syntax: 'mv-expand [kind=bag|array] [with_itemindex=Name] Column [to typeof(T)], … [limit N]',
    doc: 'One row for each element of an array or object.',
  },
  {
    name: 'order',
    syntax: 'order by Expr [asc|desc] [nulls first|last], …',
    doc: 'Sorts rows, descending unless said otherwise.',
  },
  {
    name: 'parse',
    syntax: 'parse [kind=simple|regex|relaxed] Expr with "…" Name[:Type] …',
    doc: 'Reads columns out of a text.',
  },
  {
    name: 'parse-kv',
    syntax:
      'parse-kv Expr as (Key[:Type], …) [with (pair_delimiter=…, kv_delimiter=…, quote=…, escape=…, greedy=true)]',
    doc: 'Reads key-value pairs out of a text.',
  },
  {
    name: 'parse-where',
    syntax: 'parse-where [kind=simple|regex|relaxed] Expr with "…" Name[:Type] …',
    doc: 'As parse, and drops rows that do not match.',
  },
  { name: 'partition', syntax: 'partition by Expr (Operator | …)', doc: 'Runs operators over the rows of each value.' },
  { name: 'project', syntax: 'project [Name =] Expr, …', doc: 'Exactly the listed columns, in this order.' },
  { name: 'project-away', syntax: 'project-away Pattern, …', doc: 'Drops columns.' },
  { name: 'project-keep', syntax: 'project-keep Pattern, …', doc: 'Keeps only the listed columns, in their order.' },
  { name: 'project-rename', syntax: 'project-rename New = Old, …', doc: 'Renames columns in place.' },
  {
    name: 'project-reorder',
    syntax: 'project-reorder Pattern [asc|desc|granny-asc|granny-desc], …',
    doc: 'Moves the listed columns to the front.',
  },
  {
    name: 'redact',
    syntax: 'redact [replaceToken=…] [replaceHash=true] [redactGroups=true] Regex, … [on Field, …]',
    doc: 'Hides what matches in texts, also in those inside arrays and objects.',
  },
  { name: 'reduce', syntax: 'reduce [kind=source] by Expr', doc: 'Groups similar texts and shows a template of each.' },
  { name: 'render', syntax: 'render Chart [with (Property = Value, …)]', doc: 'Says how to draw the result.' },
  { name: 'sample', syntax: 'sample Fraction', doc: 'A random part of the rows, 0 < Fraction < 1.' },
  {
    name: 'sample-distinct',
    syntax: 'sample-distinct N [of Expr, …]',
    doc: 'Up to N different values, chosen at random.',
  },
  {
    name: 'scan',
    syntax:
      'scan [with_match_id=Name] [declare (Name: Type [= Default], …)] with (step Name [output=all|last|none]: Condition [=> Name = Expr, …]; …)',
    doc: 'Follows sequences of rows: what a step finds goes on to the next one.',
  },
  { name: 'search', syntax: 'search [kind=case_sensitive] Predicate', doc: 'Rows that hold a term in any field.' },
  {
    name: 'serialize',
    syntax: 'serialize [Name = Expr, …]',
    doc: 'Fixes the order of rows for prev, next and row_number.',
  },
  {
    name: 'sort',
    syntax: 'sort by Expr [asc|desc] [nulls first|last], …',
    doc: 'Sorts rows, descending unless said otherwise.',
  },
  { name: 'summarize', syntax: 'summarize [Name =] Agg, … [by [Name =] Expr, …]', doc: 'Aggregates, for each group.' },
  { name: 'take', syntax: 'take N', doc: 'The first rows; after a chart over time, the largest series.' },
  { name: 'top', syntax: 'top N by Expr [asc|desc] [nulls first|last]', doc: 'The first N rows by one key.' },
  {
    name: 'top-hitters',
    syntax: 'top-hitters N of Expr [by Expr]',
    doc: 'The N most frequent values, or those with the greatest sum of another expression.',
  },
  {
    name: 'top-nested',
    syntax: 'top-nested [N] of Expr [with others = Name] by Agg [asc|desc], …',
    doc: 'The top values, and within each the top of the next level.',
  },
  {
    name: 'union',
    syntax: 'union [kind=inner] [withsource=Name] Table, …',
    doc: 'The rows of several tables; with kind=inner, the columns that all of them have.',
  },
  { name: 'where', syntax: 'where Predicate', doc: 'Keeps rows for which the predicate is true.' },
] as const satisfies readonly Keyword[];

export type OperatorName = (typeof operators)[number]['name'];

/** Words that may begin a pipeline, in addition to datasets. */
export const sources = [
  { name: 'datatable', syntax: 'datatable (Name: Type, …) [Value, …]', doc: 'A table written out.' },
  {
    name: 'externaldata',
    syntax: 'externaldata (Name: Type, …) ["URL", …] [with (format="csv")]',
    doc: 'A table read from a file on the web.',
  },
  {
    name: 'find',
    syntax: 'find [withsource=Name] [in (Name, …)] where Predicate [project Expr, …]',
    doc: 'Rows of several datasets for which the predicate is true.',
  },
  { name: 'print', syntax: 'print [Name =] Expr, …', doc: 'One row of computed values.' },
  { name: 'range', syntax: 'range Name from A to B step S', doc: 'A table of evenly spaced values.' },
  {
    name: 'search',
    syntax: 'search [kind=case_sensitive] in (Dataset, …) Predicate',
    doc: 'Rows of the datasets that hold a term in any field.',
  },
  { name: 'table', syntax: 'table("Name")', doc: 'A dataset named by an expression.' },
  {
    name: 'union',
    syntax: 'union [kind=inner] [withsource=Name] Table, …',
    doc: 'The rows of several tables; with kind=inner, the columns that all of them have.',
  },
] as const satisfies readonly Keyword[];

export const statements = [
  { name: 'let', syntax: 'let Name = Value;', doc: 'Names a value, a table or a function.' },
  { name: 'set', syntax: 'set Name [= Value];', doc: 'Sets an option of the query.' },
  {
    name: 'declare',
    syntax: 'declare query_parameters (Name: Type [= Default], …);',
    doc: 'Parameters that the request fills in.',
  },
] as const satisfies readonly Keyword[];

/** Charts that `render` may name. */
export const chartKinds = [
  'anomalychart',
  'areachart',
  'barchart',
  'card',
  'columnchart',
  'linechart',
  'piechart',
  'scatterchart',
  'stackedareachart',
  'table',
  'timechart',
  'timepivot',
  'treemap',
] as const;
