import { ApiError } from '@millrace/client';
import { type Answer, readAnswer } from './results/results.js';
import { type RequestedRange, requestedRange } from './results/requested-range.js';
import { api } from './api.js';
import { chartPoints } from './metrics/chart-points.js';
import { metricsAnswer } from './metrics/metrics-answer.js';
import type { MetricsResult } from './metrics/metrics-api.js';

/** Several queries in one request over one connection; results arrive as they complete. */

export interface BatchQuery {
  readonly id: string;
  readonly body: {
    readonly apl: string;
    /** The text is MPL. */
    readonly language?: 'mpl';
    readonly startTime: string;
    readonly endTime: string;
    readonly defaultLimit?: number;
    readonly variables?: Readonly<Record<string, string | readonly string[]>>;
  };
}

/** Outcome of one query. */
export type BatchOutcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Maximum queries per request. */
const AT_ONCE = 20;
const LINE_FEED = 10;

/**
 * @param onOutcome called once per query, in order of completion
 * @throws ApiError when the request is rejected; AbortError
 */
export async function runBatch(
  queries: readonly BatchQuery[],
  signal: AbortSignal,
  onOutcome: (id: string, outcome: BatchOutcome) => void,
): Promise<void> {
  const started = performance.now();
  const response = await api.send('queryBatch', {
    query: { maxConcurrency: AT_ONCE },
    body: queries.map(batchItem),
    signal,
  });
  const rangeOf = new Map(
    queries.map(({ id, body: { startTime: from, endTime: to } }) => [
      id,
      requestedRange({ from, to }, response.headers),
    ]),
  );
  const read = async (frame: Uint8Array<ArrayBuffer>): Promise<void> => {
    const { id, outcome } = await outcomeOf(frame, signal, started, rangeOf);
    if (!signal.aborted) onOutcome(id, outcome);
  };
  // The worker parses one result while the next one arrives.
  const reading: Promise<void>[] = [];
  for await (const frame of framesOf(response.body!)) reading.push(read(frame));
  await Promise.all(reading);
}

function batchItem({ id, body: { language, ...body } }: BatchQuery) {
  if (language === undefined) return { queryId: id, aplRequest: body };
  const { apl, startTime, endTime } = body;
  const chartWidth = chartPoints({ from: startTime, to: endTime });
  return { queryId: id, mplRequest: { mpl: apl, startTime, endTime, queryOptions: { chartWidth } } };
}

/** Server-sent events: their JSON has no line feeds, and a blank line ends each. */
async function* framesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  let parts: Uint8Array[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      let from = 0;
      for (let at = value.indexOf(LINE_FEED); at >= 0; at = value.indexOf(LINE_FEED, from)) {
        parts.push(value.subarray(from, at));
        from = at + 1;
        const frame = joinBatch(parts);
        parts = [];
        if (frame.length > 0) yield frame;
      }
      parts.push(value.subarray(from));
    }
  } finally {
    // Cancels the response when the reader stops.
    await reader.cancel().catch(() => undefined);
  }
}

function joinBatch(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const DATA = ',"data":';
/** Start of an event: type, query and status. */
const MAX_HEAD = 1024;
/** End of an event: its watermark. */
const MAX_END = 64;

async function outcomeOf(
  frame: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
  started: number,
  rangeOf: ReadonlyMap<string, RequestedRange | undefined>,
): Promise<{ readonly id: string; readonly outcome: BatchOutcome }> {
  const start = new TextDecoder().decode(frame.subarray(0, MAX_HEAD));
  const at = start.indexOf(DATA);
  const {
    kind,
    queryId: id,
    status,
  } = JSON.parse(`${start.slice('data: '.length, at)}}`) as {
    readonly kind: 'apl' | 'mpl';
    readonly queryId: string;
    readonly status: number;
  };
  // Start and end are ASCII, so UTF-16 units are bytes. The data ends with the brace of the event.
  const end = new TextDecoder().decode(frame.subarray(-MAX_END));
  const [behind = '}', settled] = /,"settled":"(\d+)"\}$/.exec(end) ?? [];
  const body = frame.slice(at + DATA.length, frame.length - behind.length);
  if (status !== 200)
    return { id, outcome: { kind: 'failed', error: refusal(new TextDecoder().decode(body), status) } };
  // Where a single response has it.
  const headers = settled === undefined ? {} : { 'x-millrace-settled': settled };
  try {
    if (kind === 'mpl') {
      const result = (await new Response(body).json()) as MetricsResult;
      return {
        id,
        outcome: { kind: 'answer', answer: metricsAnswer({ result, asked: rangeOf.get(id) }, '', started) },
      };
    }
    const answer = await readAnswer(new Response(body, { headers }), signal, started, rangeOf.get(id));
    return { id, outcome: { kind: 'answer', answer } };
  } catch (error) {
    return { id, outcome: { kind: 'failed', error } };
  }
}

function refusal(text: string, status: number): ApiError {
  const { message } = Object(JSON.parse(text)) as { readonly message?: unknown };
  return new ApiError(typeof message === 'string' ? message : `the server returned status ${status}`, {
    status,
    code: status,
    reason: undefined,
    traceId: undefined,
    retryAfter: undefined,
    detail: undefined,
  });
}
