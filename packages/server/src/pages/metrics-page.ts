import { metricTable } from '../metrics.js';

/** Those that tell of trouble before anybody complains. */
const watched: readonly (keyof typeof metricTable)[] = [
  'disk_free_bytes',
  'flush_pending_bytes',
  'refused_batches',
  'missing_events',
  'event_loop_lag_seconds',
];

/** docs/metrics.md, from the table of figures. */
export function metricsPage(): string {
  const rows = Object.entries(metricTable).map(
    ([name, { type, help, labels }]) =>
      `| \`millrace_${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  return `# Figures

\`GET /metrics\` gives these in the Prometheus text format to any valid token:

\`\`\`sh
curl -sS "$MILLRACE_URL/metrics" -H "Authorization: Bearer $MILLRACE_TOKEN"
\`\`\`

Worth an alert: ${watched.map((name) => `\`millrace_${name}\``).join(', ')}. The server's own health is a [monitor](alerts.md), too.

This page is written from \`packages/server/src/metrics.ts\` by \`npm run docs -w packages/server\`.

| Name | Type | Labels | |
|---|---|---|---|
${rows.join('\n')}
`;
}
