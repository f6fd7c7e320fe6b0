import { metricTable } from '@millrace/http/metrics';

/** Metrics recommended for alerts. */
const alertMetrics: readonly (keyof typeof metricTable)[] = [
  'disk_free_bytes',
  'flush_pending_bytes',
  'refused_batches',
  'missing_events',
  'event_loop_lag_seconds',
];

/** Renders docs/server-metrics.md from the table of metrics. */
export function metricsPage(): string {
  const rows = Object.entries(metricTable).map(
    ([name, { type, help, labels }]) =>
      `| \`millrace_${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  return `# Metrics of the server

\`GET /metrics\` returns these in the Prometheus text format for any valid token:

\`\`\`sh
curl -sS "$MILLRACE_URL/metrics" -H "Authorization: Bearer $MILLRACE_TOKEN"
\`\`\`

Recommended alerts: ${alertMetrics.map((name) => `\`millrace_${name}\``).join(', ')}. The server also reports its health through [notifiers](notifiers.md), and with \`MILLRACE_SELF_METRICS\` it [stores these metrics](metrics.md#metrics-of-the-server) in a dataset.

<!-- Generated from packages/http/src/metrics.ts by \`npm run docs -w packages/server\`. -->

| Name | Type | Labels | |
|---|---|---|---|
${rows.join('\n')}
`;
}
