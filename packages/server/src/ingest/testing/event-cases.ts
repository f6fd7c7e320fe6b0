import { datadogCases } from '../datadog/testing/event-cases.js';
import { elasticCases } from '../elastic/testing/event-cases.js';
import { firehoseCases } from '../firehose/testing/event-cases.js';
import { herokuCases } from '../heroku/testing/event-cases.js';
import { honeycombCases } from '../honeycomb/testing/event-cases.js';
import { journaldCases } from '../journald/testing/event-cases.js';
import { lokiCases } from '../loki/testing/event-cases.js';
import { splunkCases } from '../splunk/testing/event-cases.js';
import { vercelCases } from '../vercel/testing/event-cases.js';

/** A request, its answer, and the events that it becomes. */
export interface EventCase {
  readonly what: string;
  /** With `{dataset}` where its name goes, if the path names it. */
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly answer: object;
  /** In the order of their times; `_time` may be left out. */
  readonly events: readonly object[];
}

export const eventCases: readonly EventCase[] = [
  ...vercelCases,
  ...splunkCases,
  ...elasticCases,
  ...lokiCases,
  ...firehoseCases,
  ...herokuCases,
  ...datadogCases,
  ...honeycombCases,
  ...journaldCases,
];
