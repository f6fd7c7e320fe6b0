import { readTailLine, type TailLine } from './tail-line.js';

/** Status of a tail. */
export type TailStatus =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** The server has more than was read so far. */
  | { readonly kind: 'behind' }
  /** Unreachable or interrupted: retries automatically. */
  | { readonly kind: 'broken'; readonly problem: string; readonly again: number }
  /** Rejected permanently. */
  | { readonly kind: 'refused'; readonly problem: string; readonly signedOut: boolean };

interface FollowOptions {
  /** Requests lines after a position; without one, from now on. */
  readonly open: (after: string | undefined, signal: AbortSignal) => Promise<Response>;
  readonly after: string | undefined;
  readonly onLine: (line: TailLine) => void;
  readonly onStanding: (standing: TailStatus) => void;
  readonly signal: AbortSignal;
  /** Resolves when the user signs in again; without it the end of the session ends the tail. */
  readonly signedIn?: () => Promise<void>;
  /** Replaced in tests. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Follows a tail until aborted or rejected. Resumes exactly after the last event when interrupted.
 */
export async function follow({
  open,
  after,
  onLine,
  onStanding,
  signal,
  signedIn,
  pause = sleep,
}: FollowOptions): Promise<void> {
  let resume = after;
  let failures = 0;
  const take = (line: TailLine): boolean => {
    failures = 0;
    if (line.kind === 'event') resume = line.cursor;
    else if (line.kind === 'settled') resume = line.position;
    onLine(line);
    if (line.kind === 'event' || line.kind === 'settled') return true;
    if (line.kind === 'behind') onStanding({ kind: 'behind' });
    return line.kind === 'behind';
  };
  onStanding({ kind: 'connecting' });
  while (!signal.aborted) {
    let problem = 'the stream was interrupted';
    try {
      const answer = await open(resume, signal);
      if (!answer.ok) {
        const message = await messageOf(answer);
        const passes = answer.status === 429 || answer.status >= 500;
        const signedOut = answer.headers.get('x-millrace-error') === 'unauthenticated';
        if (!passes) {
          onStanding({ kind: 'refused', problem: message, signedOut });
          if (!signedOut || signedIn === undefined) return;
          await signedIn();
          onStanding({ kind: 'connecting' });
          continue;
        }
        problem = message;
      } else {
        onStanding({ kind: 'live' });
        for await (const line of linesOf(answer)) {
          const read = readTailLine(line);
          if (read.kind === 'settled') onStanding({ kind: 'live' });
          if (read.kind === 'error') problem = read.message;
          if (read.kind === 'end') problem = '';
          if (!take(read)) break;
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      problem = error instanceof TypeError ? 'the server is unreachable' : String((error as Error).message);
    }
    if (signal.aborted) return;
    // The server ends a tail after some minutes, which is not an error.
    if (problem === '') continue;
    const milliseconds = Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE);
    failures++;
    onStanding({ kind: 'broken', problem, again: milliseconds });
    await pause(milliseconds);
  }
}

async function* linesOf(answer: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of chunksOf(answer.body!)) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop()!;
    yield* lines.filter((line) => line !== '');
  }
}

/** Not every browser can iterate over streams. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function messageOf(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    return String((JSON.parse(text) as { readonly message?: string }).message ?? text);
  } catch {
    return text === '' ? `the server returned status ${answer.status}` : text;
  }
}
