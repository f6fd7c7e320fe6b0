import { type QueryBound, queryBounds } from '@millrace/apl';
import { type Bound, requestBounds } from '../bounds.js';
import { ingestBounds } from '../ingest/ingest-bounds.js';
import { variableOf } from '../settings/settings.js';
import { settingsTable } from '../settings/settings-table.js';
import { durationText, sizeText } from '../settings/setting-units.js';

type SettingName = keyof typeof settingsTable;

/** The settings that bound what a request may ask for or take, by what it is about. */
const limits = {
  'Any request': [
    'maxConnections',
    'requestTimeout',
    'quietBodyTimeout',
    'stalledReaderTimeout',
    'maxHeaderBytes',
    'maxUrlBytes',
    'maxJsonBodyBytes',
    'maxJsonValues',
    'maxJsonDepth',
    'maxDiscardedBytes',
    'requestsPerMinute',
    'failedLoginsPerMinute',
  ],
  Events: [
    'maxBodyBytes',
    'maxDecompressedBytes',
    'encodeTimeout',
    'maxValueBytes',
    'maxNameBytes',
    'maxRequestFields',
    'maxDatasetFields',
    'columnBudget',
    'maxFailuresReported',
    'maxPendingBytes',
    'maxLogBytes',
    'maxSyslogConnections',
    'maxSyslogMessageBytes',
    'maxFluentdConnections',
    'maxFluentdMessageBytes',
  ],
  Queries: [
    'maxConcurrentQueries',
    'engineSessions',
    'exportSessions',
    'queryTimeout',
    'compileTimeout',
    'maxStructuredBytes',
    'maxFollowedCharacters',
    'queryMemoryBytes',
    'queryMaxRowsRead',
    'queryMaxResultBytes',
    'maxQueryLimit',
    'maxDataColumns',
    'maxExternalDataBytes',
  ],
  'What is stored besides events': [
    'maxResources',
    'maxResourceBytes',
    'maxDashboards',
    'maxDashboardBytes',
    'maxAllDashboardBytes',
    'queryHistory',
    'queryHistoryBytes',
  ],
  'Monitors and notifications': [
    'maxMonitors',
    'monitorsAtOnce',
    'monitorTimeout',
    'monitorMemoryBytes',
    'monitorGroups',
    'previewRuns',
    'matchesPerMinute',
    'matchesPerDay',
    'templateSteps',
    'notifyPerMinute',
    'notifyWaiting',
    'notifyTimeout',
  ],
} as const satisfies Readonly<Record<string, readonly SettingName[]>>;

/** Those called `max…` that bound no request. */
const others: readonly SettingName[] = ['maxMergeBytes'];

/** Settings that by their names are limits, and stand on no list. */
export function unlistedLimits(): readonly string[] {
  const listed: ReadonlySet<string> = new Set([...Object.values(limits).flat(), ...others]);
  return Object.keys(settingsTable).filter((name) => name.startsWith('max') && !listed.has(name));
}

/** docs/limits.md, from the table of settings and the tables of other bounds. */
export function limitsPage(): string {
  const sections = Object.entries(limits).map(([about, names]) => `## ${about}\n\n${settingRows(names)}\n`);
  return `# Limits

No request may hurt anybody but its sender, so everything that a request may ask for has a bound. Nearly all are [settings](settings.md), which say what
becomes of more and why the default is what it is. What follows from how the server is made is [below](#bounds-that-are-no-settings), with the reason.

\`\`\`sh
MILLRACE_MAX_BODY_BYTES=16MiB npm start          # lower or raise one
curl -sS "$MILLRACE_URL/metrics" -H "Authorization: Bearer $MILLRACE_TOKEN" | grep refusals   # how often requests met one
\`\`\`

This page is written from \`packages/server/src/settings/settings-table.ts\`, \`packages/server/src/bounds.ts\`,
\`packages/server/src/ingest/ingest-bounds.ts\` and \`packages/apl/src/query-bounds.ts\` by \`npm run docs -w packages/server\`.

${sections.join('\n')}
## Bounds that are no settings

### Of events

${boundRows(ingestBounds)}

### Of queries, and of what is stored besides events

${boundRows(requestBounds)}

### Of the text of a query

More is an error with the place in the query where it becomes too much, unless stated otherwise. What single functions and operators bound is in
[their pages](apl/index.md).

| Most | Of | Why |
|--:|---|---|
${Object.values<QueryBound>(queryBounds)
  .map(({ most, of, reason }) => `| ${numberText(most)} | ${of} | ${reason} |`)
  .join('\n')}
`;
}

const settingRows = (names: readonly SettingName[]): string =>
  `| Limit | Default | |\n|---|--:|---|\n${names.map(settingRow).join('\n')}`;

function settingRow(name: SettingName): string {
  const { doc } = settingsTable[name];
  const variable = variableOf(name);
  return `| [\`${variable}\`](settings.md#${variable.toLowerCase()}) | ${defaultText(name)} | ${doc} |`;
}

function defaultText(name: SettingName): string {
  const record = settingsTable[name];
  if (record.type === 'bytes') return sizeText(record.default);
  if (record.type === 'duration') return durationText(record.default);
  return typeof record.default === 'number' ? numberText(record.default) : String(record.default);
}

const boundRows = (bounds: Readonly<Record<string, Bound>>): string =>
  `| Most | Of | Beyond it | Why |\n|--:|---|---|---|\n${Object.values(bounds)
    .map(({ most, of, beyond, reason }) => `| ${numberText(most)} | ${of} | ${beyond} | ${reason} |`)
    .join('\n')}`;

const numberText = (number: number): string => number.toLocaleString('en');
