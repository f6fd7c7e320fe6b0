import { api } from './api.js';
import { type Answer, readAnswer } from './results/results.js';
import { requestedRange } from './results/requested-range.js';
import { enqueueRequest, type RequestPriority } from './request-queue.js';

/** A query request. */
interface Question {
  readonly apl: string;
  /** Relative, as in `now-1h`, or RFC 3339. */
  readonly from: string;
  readonly to: string;
  /** Excludes rows that arrived after this position. */
  readonly asOf?: string;
  /** Continues after this row. */
  readonly cursor?: string;
  readonly includeCursor?: boolean;
  /** Maximum rows if the query has no limit. */
  readonly rows?: number;
  readonly order?: 'newest' | 'oldest';
  /** Whether it is added to the history. */
  readonly keep?: boolean;
}

/** Request body. */
export const requestOf = ({ apl, from, to, asOf, cursor, includeCursor, rows, order }: Question) => ({
  apl,
  startTime: from,
  endTime: to,
  ...(asOf !== undefined && { asOf }),
  ...(cursor !== undefined && { cursor }),
  ...(includeCursor === true && { includeCursor }),
  ...(rows !== undefined && { defaultLimit: rows }),
  ...(order === 'oldest' && { defaultOrder: [{ field: '_time', desc: false }] }),
});

/**
 * Runs a query; aborting the signal also stops it on the server.
 * @throws ApiError for an error response, Error for a truncated one
 */
export const runQuery = (request: Question, urgency: RequestPriority, signal?: AbortSignal): Promise<Answer> =>
  enqueueRequest(urgency, signal, async () => {
    const started = performance.now();
    const response = await api.send('queryAplEdge', {
      query: { format: 'tabular', ...(request.keep === true && { saveAsKind: 'apl' as const }) },
      body: { ...requestOf(request), includeCursorField: true },
      ...(signal !== undefined && { signal }),
    });
    return readAnswer(response, signal, started, requestedRange(request, response.headers));
  });
