import {
  alignFunctions,
  bucketFunctions,
  computeFunctions,
  type FunctionRecord,
  groupFunctions,
  mapFunctions,
} from '@millrace/mpl';

/** A description of MPL in Markdown, which agents read before they write queries. */

type Functions = Readonly<Record<string, FunctionRecord>>;

const steps: readonly { readonly form: string; readonly meaning: string; readonly functions: Functions }[] = [
  {
    form: 'align to 5m using FUNCTION',
    meaning: 'One value per window and series. Without `to`, one value for the whole range.',
    functions: alignFunctions,
  },
  {
    form: 'map FUNCTION',
    meaning: 'Changes each value. Fill gaps after `align`.',
    functions: mapFunctions,
  },
  {
    form: 'group by TAG, TAG using FUNCTION',
    meaning: 'Combines series with equal tags; other tags are dropped. Without `by`, all series become one.',
    functions: groupFunctions,
  },
  {
    form: 'bucket by TAG to 5m using FUNCTION(0.5, 0.99, count)',
    meaning: 'Quantiles of a histogram; the tag `spec` of the result names them.',
    functions: bucketFunctions,
  },
  {
    form: '(QUERY, QUERY) | compute NAME using FUNCTION',
    meaning: 'Combines two queries of one dataset: series with equal tags, at equal times.',
    functions: computeFunctions,
  },
];

const introduction = `# MPL

MPL queries metrics: a source, then steps from left to right, separated by \`|\`.

\`\`\`
metrics:\`http.server.requests\`
| where \`http.route\` == "/cart" and status >= 500
| align to 5m using prom::rate
| group by \`service.name\` using sum
\`\`\`

- A source is \`dataset:metric\`. Names with other characters than letters, digits and \`_\` stand in backquotes. Names are case-sensitive.
- Send the time as \`startTime\` and \`endTime\`, or write it after the metric: \`[1h..]\`. Never both.
- \`offset -1w\` right after the source reads a week earlier. \`sample 0.1\` reads a tenth of the series.
- \`where\` comes before all other steps. It compares tags with \`==\`, \`!=\`, \`<\`, \`<=\`, \`>\`, \`>=\`, \`in ["a", "b"]\`, \`contains "a"\`, \`== #/regex/\` and \`is string\` (\`int\`, \`float\`, \`bool\`), and combines conditions with \`and\`, \`or\`, \`not\` and parentheses. A comparison with a missing tag is false. Types matter: \`200\` is not \`"200"\`.
- Durations: \`30s\`, \`5m\`, \`1h\`, \`1d\`, \`1w\`, \`1M\` (30 days), \`1y\` (365 days). \`$__interval\` is a width that suits a chart.
- \`as NAME\` renames the metric. \`extend TAG = "text"\` adds a tag at the end; \`"\${tag}"\` inserts another one.
- \`param $host: string;\` before the query declares a parameter; send its value as a literal in \`params\`: \`{"param__host": "\\"web-1\\""}\`.
- \`set custom_unit = "ms";\` before parameters and query sets the unit. \`//\` begins a comment.
- A query without \`align\` shows the last value of each \`$__interval\`. Take \`prom::rate\` of counters before \`group\`.
`;

const conclusion = `
## Find names

\`GET /v1/query/metrics/info/datasets/DATASET/metrics?start=now-1d&end=now\` lists metrics, \`…/metrics/METRIC/tags\` their tags, and \`…/metrics/METRIC/tags/TAG/values\` values. With \`Accept: application/vnd.metrics-info.v2+json\` the list has types, temporality and units.

\`join\`, \`replace\` and \`over\` are not supported.
`;

export const languageText = (): string => [introduction, ...steps.map(stepText), conclusion].join('');

const stepText = ({ form, meaning, functions }: (typeof steps)[number]): string => {
  const rows = Object.entries(functions).map(([name, { doc, args }]) => `| \`${showCall(name, args)}\` | ${doc} |`);
  return `\n## \`${form}\`\n\n${meaning}\n\n| Function | Meaning |\n|---|---|\n${rows.join('\n')}\n`;
};

const showCall = (name: string, args: number): string =>
  args === 0 ? name : /^\W$/.test(name) ? `${name} n` : `${name}(n)`;
