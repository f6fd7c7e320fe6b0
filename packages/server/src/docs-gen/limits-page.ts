import { type QueryBound, queryBounds } from '@millrace/apl';
import { type Bound, requestBounds } from '@millrace/api/limits';
import { ingestBounds } from '@millrace/ingest/ingest-limits';
import { seriesBounds } from '@millrace/ingest/series/series-bounds';
import { logqlBounds } from '@millrace/logql';
import { metricsBounds } from '@millrace/mpl';
import { variableOf } from '@millrace/http/settings/settings';
import { settingsTable } from '@millrace/http/settings/settings-table';
import { durationText, sizeText } from '@millrace/http/settings/setting-units';

type SettingName = keyof typeof settingsTable;

/** Settings that limit requests, by topic. */
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
    'maxOtlpGrpcConnections',
    'maxOtlpGrpcStreams',
    'maxFluentdMessageBytes',
    'idempotencyKeys',
    'maxGelfConnections',
    'maxGelfMessageBytes',
    'maxGelfPendingBytes',
    'gelfChunkTimeout',
  ],
  Queries: [
    'maxConcurrentQueries',
    'engineSessions',
    'exportSessions',
    'queryTimeout',
    'queryWaitTimeout',
    'compileTimeout',
    'maxStructuredBytes',
    'maxFollowedCharacters',
    'queryMemoryBytes',
    'queryMaxRowsRead',
    'queryMaxSamples',
    'queryMaxResultBytes',
    'maxQueryLimit',
    'maxDataColumns',
    'maxExternalDataBytes',
  ],
  Agents: ['mcpQueryTimeout', 'mcpMaxRows', 'mcpAnswerBytes', 'mcpCellCharacters'],
  'Stored resources': [
    'maxOrgs',
    'maxResources',
    'tokenSessions',
    'maxSessions',
    'tokenSignInCodes',
    'maxSignInCodes',
    'maxDeviceCodes',
    'maxResourceBytes',
    'maxDashboards',
    'maxDashboardBytes',
    'maxAllDashboardBytes',
    'queryHistory',
    'queryHistoryBytes',
  ],
  Sources: ['maxSources', 'maxSourceObjects', 'sourceObjectMemory'],
  'Monitors and notifications': [
    'maxMonitors',
    'monitorsAtOnce',
    'monitorMissedRuns',
    'monitorMissedTime',
    'monitorTimeout',
    'monitorMemoryBytes',
    'monitorGroups',
    'monitorRuns',
    'monitorChanges',
    'monitorNotifications',
    'previewRuns',
    'matchesPerMinute',
    'matchesPerDay',
    'templateSteps',
    'notifyPerMinute',
    'notifyWaiting',
    'notifyTimeout',
  ],
} as const satisfies Readonly<Record<string, readonly SettingName[]>>;

/** Settings named `max…` that limit no request. */
const others: readonly SettingName[] = ['maxMergeBytes'];

/** Settings named like limits that no list contains. */
export function unlistedLimits(): readonly string[] {
  const listed: ReadonlySet<string> = new Set([...Object.values(limits).flat(), ...others]);
  return Object.keys(settingsTable).filter((name) => name.startsWith('max') && !listed.has(name));
}

/** Every limit on the page, by its name in the code. */
export const limitNames = (): readonly string[] => [
  ...Object.values(limits).flat(),
  ...Object.keys({
    ...ingestBounds,
    ...seriesBounds,
    ...requestBounds,
    ...queryBounds,
    ...metricsBounds,
    ...logqlBounds,
  }),
];

/** Renders docs/limits.md from the tables of settings and fixed limits. */
export function limitsPage(): string {
  const sections = Object.entries(limits).map(([about, names]) => `## ${about}\n\n${settingRows(names)}\n`);
  return `# Limits

Every request is limited, so that no client can harm others. Most limits are [settings](settings.md), which describe the effect and the reason of each
default. The others are [fixed](#fixed-limits).

\`\`\`sh
MILLRACE_MAX_BODY_BYTES=16MiB npm start          # change a limit
curl -sS "$MILLRACE_URL/metrics" -H "Authorization: Bearer $MILLRACE_TOKEN" | grep refusals   # how often requests exceeded a limit
\`\`\`

<!-- Generated from packages/http/src/settings, packages/api/src/limits.ts, packages/ingest/src/ingest-limits.ts
and packages/apl/src/model/query-limits.ts by \`npm run docs -w packages/server\`. -->

${sections.join('\n')}
## Fixed limits

### Ingest

${boundRows(ingestBounds)}

### Metrics

${boundRows(seriesBounds)}

### Queries and resources

${boundRows(requestBounds)}

### Query text

Exceeding a limit is an error with its position in the query, unless stated otherwise. Limits of functions and operators are on
[their pages](apl/index.md). Exceeding a limit on [metrics](metrics.md) or LogQL rejects the query with 400.

| Maximum | Of | Reason |
|--:|---|---|
${Object.values<QueryBound>({ ...queryBounds, ...metricsBounds, ...logqlBounds })
  .map(({ max, what, reason }) => `| ${numberText(max)} | ${what} | ${reason} |`)
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
  `| Maximum | Of | When exceeded | Reason |\n|--:|---|---|---|\n${Object.values(bounds)
    .map(({ max, what, whenExceeded, reason }) => `| ${numberText(max)} | ${what} | ${whenExceeded} | ${reason} |`)
    .join('\n')}`;

const numberText = (number: number): string => number.toLocaleString('en');
