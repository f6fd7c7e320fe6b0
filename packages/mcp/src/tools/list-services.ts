import { Type } from 'typebox';
import { queryAnswer } from '../answer/query-answer.js';
import { eventsText } from '../apl-text.js';
import { limit, exactObject, times, tool, where } from '../tool.js';
import { spanSource } from '../traces/spans.js';

export const listServices = tool({
  name: 'list_services',
  title: 'List services',
  description:
    'Services that sent spans, with requests, failures in percent, and median and 95th percentile of the duration of requests.',
  input: exactObject({
    dataset: Type.Optional(Type.String({ description: 'Dataset with the spans, if there are several.' })),
    where,
    ...times,
    limit: limit(50, 'services'),
  }),
  run: async ({ dataset, where: condition, limit: max = 50, ...range }, context) => {
    const { dataset: name, service, failed, request } = spanSource(dataset, context);
    const apl = [
      eventsText(name, condition),
      `| where ${request}`,
      `| summarize requests = count(), failed_percent = 100.0 * countif(${failed}) / count(), p50_ms = percentile(tolong(duration), 50) / 1000000.0, p95_ms = percentile(tolong(duration), 95) / 1000000.0 by service = ${service}`,
      `| top ${max} by requests`,
    ].join('\n');
    return { text: await queryAnswer({ apl, ...range }, { maxRows: max }, context) };
  },
});
