import { metricTable } from '../metrics.js';

/** docs/metrics.md, from the table of figures. */
export function metricsPage(): string {
  const rows = Object.entries(metricTable).map(
    ([name, { type, help, labels }]) =>
      `| \`millrace_${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  return `# Figures

\`GET /metrics\` gives these in the Prometheus text format to any valid token.

This page is written from \`packages/server/src/metrics.ts\` by \`npm run docs -w packages/server\`.

| Name | Type | Labels | |
|---|---|---|---|
${rows.join('\n')}
`;
}
