/**
 * Requests that wait for their answer as long as it takes, as an export does for its place, unless
 * the server is gone.
 */

interface Attention {
  /** Address of the server, without a slash at the end. */
  readonly url: string;
  /** Called every second with the milliseconds that the request has waited. */
  readonly waiting: (milliseconds: number) => void;
  /**
   * Milliseconds after which a silent server is asked whether it is there; then again each time as
   * many have passed.
   */
  readonly askEvery?: number;
}

/** The server says nothing any more. */
export class ServerSilent extends Error {
  override readonly name = 'ServerSilent';
}

/**
 * A server is gone when it has left this many questions in a row without an answer. They are
 * counted because this process may have been stopped meanwhile.
 */
const mostUnanswered = 6;

/**
 * `fetch` without its limit on the time before an answer begins. Meanwhile the server is asked for
 * `/healthz`: whatever it answers, it is there.
 * @throws ServerSilent when it is not; whatever `fetch` throws
 */
export async function attended(
  target: string,
  init: RequestInit,
  { url, waiting, askEvery = 10_000 }: Attention,
): Promise<Response> {
  const gone = new AbortController();
  const over = new AbortController();
  const began = performance.now();
  let asked = began;
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
    if (now - asked < askEvery) return;
    asked = now;
    if (unanswered < mostUnanswered) return void ask().catch(() => undefined);
    const seconds = Math.round((now - began) / 1000);
    gone.abort(new ServerSilent(`${url} does not answer: no word from it in ${seconds} s, not even to GET /healthz`));
  };
  const looking = setInterval(look, Math.min(1000, askEvery));
  const signals = [gone.signal, ...(init.signal ? [init.signal] : [])];
  try {
    return await fetch(target, { ...init, signal: AbortSignal.any(signals), ...patient() });
  } finally {
    clearInterval(looking);
    over.abort();
  }
}

/** The options that lift the limit. */
let lifted: RequestInit | undefined;
const patient = (): RequestInit => (lifted ??= dispatcherOptions({ headersTimeout: 0 }));

interface Timeouts {
  /** Milliseconds before the head of an answer; 0 is without a limit. */
  readonly headersTimeout: number;
}

/**
 * The names under which undici, the library behind `fetch`, keeps the global dispatcher, by its
 * major version. Version 8 also keeps one under the old name, but that one is for the `fetch` of
 * earlier versions.
 */
const dispatcherNames: ReadonlyMap<string, string> = new Map([
  ['6', 'undici.globalDispatcher.1'],
  ['7', 'undici.globalDispatcher.1'],
  ['8', 'undici.globalDispatcher.2'],
]);

/**
 * Options of `fetch` that change its limits: those of the global dispatcher, with other limits for
 * each request, so connections are shared with all other requests. The option is documented, the
 * name of the dispatcher is not: an unknown version of undici keeps its limits, which is five
 * minutes.
 */
export function dispatcherOptions(timeouts: Timeouts, undici = process.versions['undici']): RequestInit {
  const name = dispatcherNames.get(undici?.split('.')[0] ?? '');
  if (name === undefined) return {};
  // Loads the library, which makes the global dispatcher.
  void Response;
  const known = Reflect.get(globalThis, Symbol.for(name)) as RequestInit['dispatcher'];
  if (typeof known?.compose !== 'function') return {};
  return {
    dispatcher: known.compose((dispatch) => (options, handler) => dispatch({ ...options, ...timeouts }, handler)),
  };
}
