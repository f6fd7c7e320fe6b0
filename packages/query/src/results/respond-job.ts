import { httpError } from '@millrace/api/errors';
import { bytes, type RouteResponse, type RequestContext, type Headers } from '@millrace/http/route';
import type { QueryExecution, Job, OwnedExecution, Jobs } from '../schedule/jobs.js';
import { onceAborted } from '../schedule/on-abort.js';

/**
 * A response up to this size fits into the buffers of a connection, so there is no reader to wait
 * for.
 */
const smallBytes = 64 * 1024;
/** Bytes passed to the connection at a time: its buffer for a reader that stops. */
const sliceBytes = 128 * 1024;

interface JobResponse {
  readonly pieces: readonly Uint8Array[];
  readonly mediaType: string;
  readonly headers: Headers;
}

/**
 * Runs a query as a job and sends its result. A long response is sent at its reader's pace, without
 * copying it, and its job ends only when it has been sent: results that wait for slow readers count
 * against the query limits.
 * @throws HttpError `too-many-queries`, and errors of `work`
 */
export async function answerJob(
  jobs: Jobs,
  call: RequestContext,
  about: Pick<Job, 'kind' | 'text'>,
  work: (execution: QueryExecution) => Promise<JobResponse>,
): Promise<RouteResponse> {
  const execution = jobs.begin(call, about);
  try {
    const { pieces, mediaType, headers } = await work(execution);
    const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
    if (length > smallBytes) {
      // If the connection ends before the first slice is requested, the generator never runs.
      onceAborted(execution.signal, () => execution.end('cancelled'));
      return bytes(sendPieces(pieces, execution), mediaType, 200, { ...headers, 'content-length': String(length) });
    }
    execution.end('ok');
    return bytes(Buffer.concat(pieces), mediaType, 200, headers);
  } catch (error) {
    execution.end('failed');
    throw error;
  }
}

/**
 * Ends the job before the last slice is sent, so that a client that has received the whole response
 * has a free slot for the next query.
 */
async function* sendPieces(pieces: readonly Uint8Array[], { signal, end }: OwnedExecution): AsyncGenerator<Uint8Array> {
  let last: Uint8Array | undefined;
  for (const slice of slicesOf(pieces)) {
    if (signal.aborted) throw httpError('query-cancelled', {});
    if (last !== undefined) yield last;
    last = slice;
  }
  end('ok');
  if (last !== undefined) yield last;
}

/**
 * Waits for the first bytes of a long result, so that a query that fails at once is answered as an
 * error. The job ends with the result.
 */
export async function createdJob(
  rows: AsyncIterable<Uint8Array>,
  { signal, end }: OwnedExecution,
): Promise<AsyncIterable<Uint8Array>> {
  const iterator = rows[Symbol.asyncIterator]();
  const first = await iterator.next();
  onceAborted(signal, () => {
    iterator.return?.().catch(() => undefined);
    end('cancelled');
  });
  return (async function* () {
    let outcome: 'ok' | 'failed' = 'failed';
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) {
        yield next.value;
        // A query that was canceled during the response has dropped the rest; the client must not
        // take the first part for the complete result.
        if (signal.aborted) throw httpError('query-cancelled', {});
      }
      outcome = 'ok';
    } finally {
      await iterator.return?.();
      end(outcome);
    }
  })();
}

/** Joins small pieces and divides large ones. */
function* slicesOf(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for (const piece of pieces) {
    if (length + piece.byteLength > sliceBytes && length > 0) {
      yield Buffer.concat(waiting);
      waiting = [];
      length = 0;
    }
    if (piece.byteLength > sliceBytes) {
      for (let from = 0; from < piece.byteLength; from += sliceBytes) yield piece.subarray(from, from + sliceBytes);
      continue;
    }
    waiting.push(piece);
    length += piece.byteLength;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
