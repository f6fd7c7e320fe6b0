/**
 * Published queries in Kusto that were compiled, with how many of them mean something here and how
 * many are read.
 */
const measured = [
  { source: 'msticpy 3.0.2, for Microsoft Sentinel', queries: 85, valid: 85, read: 85 },
  { source: 'msticpy 3.0.2, for Microsoft Defender', queries: 50, valid: 50, read: 50 },
  { source: 'tests of duckdb-kql 1.1.2', queries: 827, valid: 707, read: 685 },
  { source: 'tests of kqlbridge 0.12.1', queries: 304, valid: 288, read: 288 },
  { source: 'tests of adxpandas 0.2.3', queries: 175, valid: 151, read: 151 },
] as const;

/** What of Kusto is refused, and why. */
const refused = [
  ['graph operators, `macro-expand`', 'there are no graphs and no other clusters'],
  [
    '`evaluate autocluster`, `basket`, `diffpatterns`',
    'the message names `summarize` or `spotlight`, which answer most of these questions',
  ],
  ['`evaluate python`, `r`, `sql_request` and their like', 'queries run no programs and call no services'],
  [
    'functions that a database or a workspace defines, such as `_Im_Dns` or `FileProfile`',
    'nobody has defined them here; `let` can',
  ],
  ['regular expressions and formats of times that differ from row to row', 'the engine compiles them once'],
  ['`datetime(2025, 6)`, `datetime("12-02-2022")`, `time(2)`', 'dates and spans say what their parts are'],
  ['truth values where numbers are meant, as in `abs(true)`', '`toint()` makes 1 and 0 of them'],
] as const;

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

/** The page about queries that were written for Kusto. */
export const kustoLines = (): readonly string[] => [
  'Most queries that were written for Kusto run as they are: names of tables are datasets, older spellings are read with a warning, and what is',
  'refused says what to write instead. [Where it differs](deviations.md) tells what a query that runs may answer otherwise.',
  '',
  '## How many are read',
  '',
  'Each query was compiled with datasets that have no fields, so its syntax, names and arguments count, but not the types of its fields. Left out as',
  'not valid here are queries with graph operators, files, watchlists or functions of a database, and, in tests, those that are wrong on purpose.',
  '',
  '| source | queries | valid here | read | share |',
  '|---|---|---|---|---|',
  ...measured.map(
    ({ source, queries, valid, read }) => `| ${source} | ${queries} | ${valid} | ${read} | ${percent(read, valid)} |`,
  ),
  '',
  "Of 1,213 queries in Axiom's documentation 1,190 answer as printed. Of the others 16 need data, files or hosts that a new server does not have, six print",
  'numbers as shortened texts, and one looks ahead in a regular expression, which the engine cannot.',
  '',
  '## What is refused',
  '',
  '| in Kusto | why |',
  '|---|---|',
  ...refused.map(([what, why]) => `| ${what} | ${why} |`),
];
