import { readTailLine, type TailLine } from './tail-line.js';

/** How a tail stands. */
export type Standing =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** There is more than has been read so far. */
  | { readonly kind: 'behind' }
  /** Nobody answers, or the stream broke off: it goes on by itself. */
  | { readonly kind: 'broken'; readonly problem: string; readonly again: number }
  /** The server says no, and would say it again. */
  | { readonly kind: 'refused'; readonly problem: string; readonly signedOut: boolean };

interface Following {
  /** Asks for lines behind a place; from now on if there is none yet. */
  readonly open: (after: string | undefined, signal: AbortSignal) => Promise<Response>;
  readonly after: string | undefined;
  readonly onLine: (line: TailLine) => void;
  readonly onStanding: (standing: Standing) => void;
  readonly signal: AbortSignal;
  /** Ends when somebody is signed in again; without it the end of a session is the end. */
  readonly signedIn?: () => Promise<void>;
  /** Waits; tests do not. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Follows a tail until it is aborted or refused. After a break it goes on exactly behind what came
 * last.
 */
export async function follow({
  open,
  after,
  onLine,
  onStanding,
  signal,
  signedIn,
  pause = sleep,
}: Following): Promise<void> {
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
    let problem = 'the stream broke off';
    try {
      const answer = await open(resume, signal);
      if (!answer.ok) {
        const said = await messageOf(answer);
        const passes = answer.status === 429 || answer.status >= 500;
        const signedOut = answer.headers.get('x-millrace-error') === 'unauthenticated';
        if (!passes) {
          onStanding({ kind: 'refused', problem: said, signedOut });
          if (!signedOut || signedIn === undefined) return;
          await signedIn();
          onStanding({ kind: 'connecting' });
          continue;
        }
        problem = said;
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
      problem = error instanceof TypeError ? 'the server cannot be reached' : String((error as Error).message);
    }
    if (signal.aborted) return;
    // The server ends a tail after some minutes, which is no failure.
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

/** Not every browser iterates over streams. */
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
    return text === '' ? `the server answers ${answer.status}` : text;
  }
}
