/**
 * Requests without a response timeout, such as an export that queues for a slot. A health check
 * detects a dead server instead.
 */

interface Attention {
  /** Server URL without a trailing slash. */
  readonly url: string;
  /** Called every second with the milliseconds waited. */
  readonly waiting: (milliseconds: number) => void;
  /** Milliseconds between health checks. */
  readonly askEvery?: number;
}

/** The server stopped responding. */
export class ServerUnresponsiveError extends Error {
  override readonly name = 'ServerUnresponsiveError';
}

/**
 * Consecutive unanswered health checks until the server counts as dead. Counted, not timed: this
 * process may have been suspended.
 */
const maxUnanswered = 6;

/**
 * `fetch` without a header timeout. While it waits it polls `/healthz`, where any response counts.
 * @throws ServerUnresponsiveError when the server is dead; errors of `fetch`
 */
export async function fetchWithHealthcheck(
  target: string,
  init: RequestInit,
  { url, waiting, askEvery = 10_000 }: Attention,
): Promise<Response> {
  const unreachable = new AbortController();
  const over = new AbortController();
  const began = performance.now();
  let checkedAt = began;
  let unanswered = 0;
  const ask = async (): Promise<void> => {
    unanswered++;
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(askEvery)]);
    const answer = await fetch(`${url}/healthz`, { redirect: 'manual', signal });
    unanswered = 0;
    await answer.body?.cancel();
  };
  const look = (): void => {
    const now = performance.now();
    waiting(now - began);
    if (now - checkedAt < askEvery) return;
    checkedAt = now;
    if (unanswered < maxUnanswered) return void ask().catch(() => undefined);
    const seconds = Math.round((now - began) / 1000);
    unreachable.abort(new ServerUnresponsiveError(`${url} is not responding (${seconds} s, including GET /healthz)`));
  };
  const looking = setInterval(look, Math.min(1000, askEvery));
  const signals = [unreachable.signal, ...(init.signal ? [init.signal] : [])];
  try {
    return await fetch(target, { ...init, signal: AbortSignal.any(signals), ...patient() });
  } finally {
    clearInterval(looking);
    over.abort();
  }
}

/** Options that disable the timeout. */
let noTimeoutOptions: RequestInit | undefined;
const patient = (): RequestInit => (noTimeoutOptions ??= dispatcherOptions({ headersTimeout: 0 }));

interface Timeouts {
  /** Milliseconds until the response headers; 0 disables it. */
  readonly headersTimeout: number;
}

/**
 * Names under which undici, the library of `fetch`, stores the global dispatcher, by major version.
 * Version 8 stores a second one under the old name for the `fetch` of earlier versions.
 */
const dispatcherNames: ReadonlyMap<string, string> = new Map([
  ['6', 'undici.globalDispatcher.1'],
  ['7', 'undici.globalDispatcher.1'],
  ['8', 'undici.globalDispatcher.2'],
]);

/**
 * `fetch` options with other timeouts: the global dispatcher with timeouts per request, so
 * connections are still shared. The option is documented, the name of the dispatcher is not: an
 * unknown version of undici keeps its timeout of five minutes.
 */
export function dispatcherOptions(timeouts: Timeouts, undici = process.versions['undici']): RequestInit {
  const name = dispatcherNames.get(undici?.split('.')[0] ?? '');
  if (name === undefined) return {};
  // Loads undici, which creates the global dispatcher.
  void Response;
  const known = Reflect.get(globalThis, Symbol.for(name)) as RequestInit['dispatcher'];
  if (typeof known?.compose !== 'function') return {};
  return {
    dispatcher: known.compose((dispatch) => (options, handler) => dispatch({ ...options, ...timeouts }, handler)),
  };
}
