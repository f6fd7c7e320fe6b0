import { httpError } from '../../errors.js';
import { bytes, type Answer, type Call, type Headers } from '../../http/route.js';
import type { Course, Job, JobCourse, Jobs } from '../run/jobs.js';
import { onceAborted } from '../run/once-aborted.js';

/**
 * An answer up to this size fits into the buffers of a connection, so there is no reader to wait
 * for.
 */
const smallBytes = 64 * 1024;
/** Bytes handed to the connection at a time, which is what it holds for a reader who stops. */
const sliceBytes = 128 * 1024;

interface Made {
  readonly pieces: readonly Uint8Array[];
  readonly mediaType: string;
  readonly headers: Headers;
}

/**
 * Runs a query as a job and answers with what it made. A long answer is sent at its reader's pace,
 * without copying it, and its job ends only when it has been sent: results that wait for slow
 * readers are limited as queries are.
 * @throws HttpError `too-many-queries`, and whatever `work` throws
 */
export async function answerJob(
  jobs: Jobs,
  call: Call,
  about: Pick<Job, 'kind' | 'text'>,
  work: (course: Course) => Promise<Made>,
): Promise<Answer> {
  const course = jobs.begin(call, about);
  try {
    const { pieces, mediaType, headers } = await work(course);
    const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
    if (length > smallBytes) {
      // If the connection ends before the first slice is asked for, the generator never runs.
      onceAborted(course.signal, () => course.end('cancelled'));
      return bytes(sent(pieces, course), mediaType, 200, { ...headers, 'content-length': String(length) });
    }
    course.end('ok');
    return bytes(Buffer.concat(pieces), mediaType, 200, headers);
  } catch (error) {
    course.end('failed');
    throw error;
  }
}

/**
 * Ends the job before the last slice goes out, so that a reader who has seen the whole answer finds
 * room for the next query.
 */
async function* sent(pieces: readonly Uint8Array[], { signal, end }: JobCourse): AsyncGenerator<Uint8Array> {
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
export async function begun(
  rows: AsyncIterable<Uint8Array>,
  { signal, end }: JobCourse,
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
        // A query that was stopped meanwhile has dropped the rest; what came before must not pass
        // for the whole.
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
