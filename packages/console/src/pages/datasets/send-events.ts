import type { IngestStatus } from '@millrace/client';
import { api } from '../../data/api.js';

/** What the server answered to events, and how fast. */
export interface Sent {
  readonly status: IngestStatus;
  /** Where the batch lies in the log; none if no event was taken. */
  readonly position: string | undefined;
  /** Milliseconds until the answer: by then the events are on disk. */
  readonly milliseconds: number;
  /** When the answer came, on the clock of `performance`. */
  readonly answered: number;
}

/**
 * Sends events as any program would.
 * @throws ApiError when the server refuses them all
 */
export async function sendEvents(dataset: string, text: string, format: 'json' | 'csv'): Promise<Sent> {
  const started = performance.now();
  const answer = await api.send('ingest', {
    params: { dataset },
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
