import { alertmanagerCases } from '../alertmanager/testing/event-cases.js';
import { cloudeventsCases } from '../cloudevents/testing/event-cases.js';
import { datadogCases } from '../datadog/testing/event-cases.js';
import { elasticCases } from '../elastic/testing/event-cases.js';
import { firehoseCases } from '../firehose/testing/event-cases.js';
import { herokuCases } from '../heroku/testing/event-cases.js';
import { honeycombCases } from '../honeycomb/testing/event-cases.js';
import { journaldCases } from '../journald/testing/event-cases.js';
import { lokiCases } from '../loki/testing/event-cases.js';
import { sentryCases } from '../sentry/testing/event-cases.js';
import { splunkCases } from '../splunk/testing/event-cases.js';
import { vercelCases } from '../vercel/testing/event-cases.js';

/** A request, its response, and its events. */
export interface EventCase {
  readonly what: string;
  /** Contains `{dataset}` if the path names the dataset. */
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly answer: object;
  /** In time order; `_time` may be omitted. */
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
  ...alertmanagerCases,
  ...cloudeventsCases,
  ...sentryCases,
];
