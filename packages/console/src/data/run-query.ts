import { api } from './api.js';
import { type Answer, readAnswer } from './answers/answers.js';
import { askedRange } from './answers/asked-range.js';
import { inTurn, type Urgency } from './turns.js';

/** What is asked of the server. */
interface Question {
  readonly apl: string;
  /** Relative, as in `now-1h`, or RFC 3339. */
  readonly from: string;
  readonly to: string;
  /** Rows that arrived after this position are left out. */
  readonly asOf?: string;
  /** Goes on after this row. */
  readonly cursor?: string;
  readonly includeCursor?: boolean;
  /** Rows, if the query does not say how many. */
  readonly rows?: number;
  readonly order?: 'newest' | 'oldest';
  /** Whether it is kept in the history. */
  readonly keep?: boolean;
}

/** The body of a request for it. */
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
 * Asks the server. Aborting the signal stops the query there too.
 * @throws ApiError when it refuses, Error when the answer breaks off
 */
export const runQuery = (question: Question, urgency: Urgency, signal?: AbortSignal): Promise<Answer> =>
  inTurn(urgency, signal, async () => {
    const started = performance.now();
    const response = await api.send('queryAplEdge', {
      query: { format: 'tabular', ...(question.keep === true && { saveAsKind: 'apl' as const }) },
      body: { ...requestOf(question), includeCursorField: true },
      ...(signal !== undefined && { signal }),
    });
    return readAnswer(response, signal, started, askedRange(question, response.headers));
  });
