import type { IngestStatus } from '@millrace/client';
import { api } from '../../data/api.js';

/** Response to an ingest, with timing. */
export interface SendResult {
  readonly status: IngestStatus;
  /** Position of the batch in the log; undefined if no event was accepted. */
  readonly position: string | undefined;
  /** Milliseconds until the response, when the events are durable. */
  readonly milliseconds: number;
  /** Time of the response, on the clock of `performance`. */
  readonly answered: number;
}

/**
 * Sends events like any other client.
 * @param timeField the field that supplies the event time instead of `_time`
 * @throws ApiError when all are rejected
 */
export async function sendEvents(
  dataset: string,
  text: string,
  format: 'json' | 'csv',
  timeField?: string,
): Promise<SendResult> {
  const started = performance.now();
  const answer = await api.send('ingest', {
    params: { dataset },
    ...(timeField !== undefined && { query: { 'timestamp-field': timeField } }),
    headers: { 'content-type': format === 'csv' ? 'text/csv' : 'application/json' },
    body: text,
  });
  const answered = performance.now();
  return {
    status: (await answer.json()) as IngestStatus,
    position: answer.headers.get('x-millrace-position') ?? undefined,
    milliseconds: answered - started,
    answered,
  };
}
