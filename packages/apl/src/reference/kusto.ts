/**
 * Published queries in Kusto that were compiled, with how many of them mean something here and how
 * many are read.
 */
const corpusResults = [
  { source: 'msticpy 3.0.2, for Microsoft Sentinel', queries: 85, valid: 85, read: 85 },
  { source: 'msticpy 3.0.2, for Microsoft Defender', queries: 50, valid: 50, read: 50 },
  { source: 'tests of duckdb-kql 1.1.2', queries: 827, valid: 707, read: 685 },
  { source: 'tests of kqlbridge 0.12.1', queries: 304, valid: 288, read: 288 },
  { source: 'tests of adxpandas 0.2.3', queries: 175, valid: 151, read: 151 },
  { source: 'reprise99/Sentinel-Queries', queries: 692, valid: 688, read: 682 },
  { source: 'Bert-JanP/Hunting-Queries-Detection-Rules', queries: 710, valid: 662, read: 659 },
  { source: 'saoc90/kql-to-sql', queries: 724, valid: 658, read: 642 },
  { source: 'microsoft/AzureMonitorCommunity', queries: 648, valid: 638, read: 634 },
  { source: 'microsoft/Microsoft-365-Defender-Hunting-Queries', queries: 581, valid: 571, read: 568 },
  { source: 'KQLMSPress/definitive-guide-kql', queries: 492, valid: 465, read: 461 },
  { source: 'alexverboon/Hunting-Queries-Detection-Rules', queries: 453, valid: 429, read: 427 },
  { source: 'rod-trent/SentinelKQL', queries: 430, valid: 419, read: 407 },
  { source: 'm4nbat/KustQueryLanguage_kql', queries: 389, valid: 374, read: 372 },
  { source: 'SlimKQL/Hunting-Queries-Detection-Rules', queries: 352, valid: 334, read: 333 },
  { source: 'ep3p/Sentinel_KQL', queries: 412, valid: 329, read: 323 },
  { source: '21 smaller repositories', queries: 1542, valid: 1340, read: 1319 },
  { source: 'microsoft/Application-Insights-Workbooks, new', queries: 2189, valid: 604, read: 603 },
  { source: 'Azure/Azure-Proactive-Resiliency-Library-v2, new', queries: 206, valid: 206, read: 206 },
  { source: 'Azure/azqr, new', queries: 192, valid: 192, read: 192 },
  { source: 'benscha/KQLAdvancedHunting, new', queries: 158, valid: 148, read: 147 },
  { source: 'jkerai1/KQL-Queries, new', queries: 151, valid: 150, read: 150 },
  { source: 'LearningKijo/KQL, new', queries: 146, valid: 142, read: 141 },
  { source: 'BlueTeamLabs/sentinel-attack, new', queries: 118, valid: 118, read: 118 },
  { source: 'FalconForceTeam/FalconFriday, new', queries: 111, valid: 77, read: 77 },
  { source: 'Cloud-Architekt/AzureSentinel, new', queries: 103, valid: 101, read: 99 },
  { source: '13 smaller repositories, new', queries: 544, valid: 532, read: 531 },
  { source: "MicrosoftDocs/dataexplorer-docs, Kusto's documentation, new", queries: 1226, valid: 773, read: 479 },
] as const;

/** Parts of Kusto that are rejected, with the reasons and queries that show it. */
export const rejectedFeatures: readonly (readonly [what: string, why: string, queries: readonly string[]])[] = [
  [
    'graph operators, `macro-expand`',
    'there are no graphs and no other clusters',
    ['logs | make-graph a --> b with c on d', 'macro-expand (logs) (count)'],
  ],
  [
    '`evaluate python`, `r`, `sql_request` and their like',
    'queries cannot run programs or call services',
    ['logs | evaluate python("x")', 'logs | evaluate r("x")', 'logs | evaluate sql_request("x")'],
  ],
  [
    'functions that a database or a workspace defines, such as `_Im_Dns` or `FileProfile`',
    'they are not defined here; `let` can define them',
    ['_Im_Dns() | count', 'logs | invoke FileProfile()'],
  ],
  [
    'regular expressions and formats of times that differ from row to row',
    'the engine compiles them once',
    ['logs | where "a" matches regex message', 'logs | extend x = format_datetime(_time, message)'],
  ],
  [
    '`datetime(2025, 6)`, `datetime("12-02-2022")`, `time(2)`',
    'dates and spans need explicit parts',
    ['print datetime(2025, 6)', 'print datetime("12-02-2022")', 'print time(2)'],
  ],
  ['booleans as numbers, as in `abs(true)`', '`toint()` converts them to 1 and 0', ['print abs(true)']],
];

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

/** The page about queries that were written for Kusto. */
export const kustoLines = (): readonly string[] => [
  'Most queries written for Kusto run unchanged: table names are datasets, older spellings give a warning, and errors say what to',
  'write instead. [Where it differs](deviations.md) lists differences in results.',
  '',
  '## How many compile',
  '',
  'Each query was compiled with datasets that have no fields, so its syntax, names and arguments count, but not the types of its fields. Not valid',
  'here are queries with graph operators, files, watchlists or functions of a database, unfilled parameters of a workbook, commands, definitions',
  'without a query, and deliberately wrong queries in tests. The repositories marked new were compiled once before anything was changed for them:',
  'then 98.8 % of their valid queries were read, without the documentation. Of the 294 that are not read in that, 208 are about lines, polygons and',
  'cells of S2 and H3, which are left out here.',
  "From repositories, texts that Kusto's own parser rejects are left out too, and a text of several queries counts as several. Queries that",
  'depend on data or files were compiled with made-up contents; where these did not fit, the query counts as read. None of them ran.',
  '',
  '| source | queries | valid here | read | share |',
  '|---|---|---|---|---|',
  ...corpusResults.map(
    ({ source, queries, valid, read }) => `| ${source} | ${queries} | ${valid} | ${read} | ${percent(read, valid)} |`,
  ),
  '',
  "Of 1,213 queries in Axiom's documentation 1,190 return the printed result. Of the others 16 need data, files or hosts that a new server does not have, six print",
  'numbers as shortened texts, and one uses look-ahead in a regular expression, which the engine does not support.',
  '',
  '## Rejected queries',
  '',
  '| in Kusto | reason |',
  '|---|---|',
  ...rejectedFeatures.map(([what, why]) => `| ${what} | ${why} |`),
];
