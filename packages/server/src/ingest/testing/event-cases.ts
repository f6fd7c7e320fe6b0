import { elasticCases } from '../elastic/testing/event-cases.js';
import { splunkCases } from '../splunk/testing/event-cases.js';

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

export const eventCases: readonly EventCase[] = [...splunkCases, ...elasticCases];
