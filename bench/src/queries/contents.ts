import type { Shape } from '../data/shape.js';

/**
 * Stored events after an ingest, queried from ours and from the hand-typed table: enough to detect
 * values that were changed or stored in another field.
 */
export interface Contents {
  /** The aggregates of a `summarize`. */
  readonly apl: string;
  /** The same over the hand-typed table. */
  readonly sql: string;
}

const contents: Readonly<Record<string, Contents>> = {
  logs: {
    // CSV values are strings.
    apl: "count(), sum(tolong(bytes)), sum(tolong(status)), sum(strlen(message)), count_distinct(trace_id), countif(level == 'warn')",
    sql: "count(), sum(bytes), sum(status), sum(length(message)), uniqExact(trace_id), countIf(level = 'warn')",
  },
  traces: {
    apl: "count(), sum(duration), count_distinct(span_id), countif(isnull(parent_span_id)), countif(['status.code'] == 'ERROR'), sum(['attributes.http.status_code']), sum(['resource.k8s.pod.restarts'])",
    sql: "count(), sum(duration), uniqExact(span_id), countIf(parent_span_id IS NULL), countIf(status.code = 'ERROR'), sum(attributes.http.status_code), sum(resource.k8s.pod.restarts)",
  },
  security: {
    apl: 'count(), sum(EventID), sum(RecordNumber), count_distinct(Hostname), sum(strlen(Message)), countif(isnotnull(awsRegion)), countif(isnotnull(Task))',
    sql: 'count(), sum(EventID), sum(RecordNumber), uniqExact(Hostname), sum(length(Message)), countIf(awsRegion IS NOT NULL), countIf(Task IS NOT NULL)',
  },
  bluesky: {
    apl: "count(), count_distinct(did), countif(kind == 'commit'), sum(strlen(['commit.rkey'])), countif(['commit.operation'] == 'delete'), count_distinct(['commit.cid'])",
    sql: "count(), uniqExact(did), countIf(kind = 'commit'), sum(length(commit.rkey)), countIf(commit.operation = 'delete'), uniqExact(nullIf(commit.cid, ''))",
  },
};

export function contentsOf({ name }: Shape): Contents {
  const found = contents[name];
  if (found === undefined) throw new Error(`nothing is known of the contents of ${name}`);
  return found;
}
