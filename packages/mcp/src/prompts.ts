import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';

/** Ways of working that users choose from a menu of their client. */

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Descriptions of the arguments; a name that ends with ? is optional. */
  readonly args: Readonly<Record<string, string>>;
  text(args: Readonly<Record<string, string | undefined>>): string;
}

const prompts: readonly Prompt[] = [
  {
    name: 'investigate_incident',
    title: 'Investigate an incident',
    description: 'From a symptom to a cause, with evidence.',
    args: { what: 'The symptom, such as: checkout fails since 10:40.', 'since?': 'When it began, such as now-2h.' },
    text: ({ what = '', since = 'now-2h' }) =>
      `Investigate this incident with the Millrace tools: ${what}

1. list_monitors with state=open, and list_datasets to see what there is.
2. describe_dataset for the datasets that matter.
3. count_over_time of failures from ${since}, by service or status: when did it begin, and where?
4. patterns of the error messages since it began, and of the same length of time before: what is new?
5. compare with the failing events as the selection: which version, host, route or customer do they share?
6. get_trace of one failing request: where does it fail or wait?
7. Try to refute your explanation with one more query.

Report the begin, the extent in numbers, the most likely cause with its evidence, what you ruled out, and the links of the queries.`,
  },
  {
    name: 'explain_trace',
    title: 'Explain a trace',
    description: 'Why a request was slow or failed.',
    args: { traceId: 'Value of trace_id.', 'dataset?': 'Dataset with the spans.' },
    text: ({ traceId = '', dataset }) =>
      `Explain the trace ${traceId}${dataset === undefined ? '' : ` in the dataset ${dataset}`}. Call get_trace and follow the critical path (*). Compare the slowest spans with usual ones (slow_operations), and search the logs for the trace ID (search_word). Say in a few sentences what the request did, where the time went, what failed first, and whether that is usual.`,
  },
  {
    name: 'write_monitor',
    title: 'Write a monitor',
    description: 'A query, a threshold and a schedule for an alert.',
    args: { goal: 'What the monitor detects, such as: payments fail.' },
    text: ({ goal = '' }) =>
      `Write a Millrace monitor for this goal: ${goal}

Find the dataset and fields (list_datasets, describe_dataset). Write an APL query that gives one number, or one for each group, for a short range. Run it over the last day in bins (query with summarize ... by bin(_time, 5m)) and choose a threshold that normal times do not reach; say how often it fires on past data. Check list_monitors for one that exists already. Answer with JSON for POST /v2/monitors: name, description, type (Threshold, AnomalyDetection or MatchEvent), aplQuery, operator, threshold, intervalMinutes, rangeMinutes. Do not create it; I will.`,
  },
];

const compiledPrompts = prompts.map((prompt) => {
  const args = Object.entries(prompt.args);
  const schema = fromJsonSchema<Readonly<Record<string, string | undefined>>>({
    type: 'object',
    properties: Object.fromEntries(
      args.map(([name, description]) => [name.replace('?', ''), { type: 'string', description }] as const),
    ),
    required: args.flatMap(([name]) => (name.endsWith('?') ? [] : [name])),
  });
  return { ...prompt, text: prompt.text, schema };
});

export function registerPrompts(server: McpServer): void {
  for (const { name, title, description, schema, text } of compiledPrompts)
    server.registerPrompt(name, { title, description, argsSchema: schema }, (args) => ({
      messages: [{ role: 'user', content: { type: 'text', text: text(args) } }],
    }));
}
