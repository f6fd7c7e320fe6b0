import { Type } from 'typebox';
import { queryAnswer } from '../answer/query-answer.js';
import { eventsText } from '../apl-text.js';
import { limit, exactObject, times, tool, where } from '../tool.js';
import { spanSource } from '../traces/spans.js';

export const slowOperations = tool({
  name: 'slow_operations',
  title: 'Slowest operations',
  description:
    'Operations of services, from spans: calls, failures in percent, median, 95th and 99th percentile of the duration, slowest first, with the trace of the slowest call.',
  input: exactObject({
    dataset: Type.Optional(Type.String({ description: 'Dataset with the spans, if there are several.' })),
    where,
    ...times,
    limit: limit(20, 'operations'),
  }),
  run: async ({ dataset, where: condition, limit: max = 20, ...range }, context) => {
    const { dataset: name, service, failed } = spanSource(dataset, context);
    const apl = [
      eventsText(name, condition),
      `| summarize calls = count(), failed_percent = 100.0 * countif(${failed}) / count(), p50_ms = percentile(tolong(duration), 50) / 1000000.0, p95_ms = percentile(tolong(duration), 95) / 1000000.0, p99_ms = percentile(tolong(duration), 99) / 1000000.0, (slowest, slowest_trace) = arg_max(duration, trace_id) by service = ${service}, operation = name`,
      `| project-away slowest`,
      `| top ${max} by p95_ms`,
    ].join('\n');
    return { text: await queryAnswer({ apl, ...range }, { maxRows: max }, context) };
  },
});
