import { errorOf, notJson } from './api-error.js';
import { type Operations, routes } from './operations.js';
import { contentOf, type Parts, sendable, targetOf } from './request.js';

export type Operation = keyof Operations;
export type AnswerOf<O extends Operation> = Operations[O]['answer'];
export type RequestOf<O extends Operation> = Operations[O]['request'] & { readonly signal?: AbortSignal };

/**
 * The arguments after the name of an operation: the request may be left out if all its parts are
 * optional.
 */
export type Given<O extends Operation> =
  Record<never, never> extends Operations[O]['request'] ? [request?: RequestOf<O>] : [request: RequestOf<O>];

export interface ClientOptions {
  /** Address of the server, `https://events.example.com`; may have a path. */
  readonly url: string;
  /** Left out where something else says who asks, such as the cookie of a session. */
  readonly token?: string;
  /** For servers with several organisations. */
  readonly orgId?: string;
  /** Replaces the global `fetch`, for proxies or tests. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface Client {
  /**
   * Calls an operation and returns its answer: JSON parsed, bytes whole, undefined if there is
   * none. Parsed integers beyond 2^53 are rounded, as everywhere in JavaScript; with `send` their
   * text can be read.
   * @throws ApiError when the server refuses; TypeError for a parameter that no path, or a header
   * that no request, can carry; whatever `fetch` throws when it cannot be reached or `signal` is
   * aborted
   */
  call<O extends Operation>(operation: O, ...given: Given<O>): Promise<AnswerOf<O>>;
  /**
   * The same, with the body of the answer still to be read: for streams, headers, and formats other
   * than the usual one.
   * @throws as `call`
   */
  send<O extends Operation>(operation: O, ...given: Given<O>): Promise<Response>;
}

/**
 * A client of any server that speaks the interface. It repeats no requests and caches nothing.
 * @throws TypeError when the URL is invalid, or the token or the organisation has characters that
 * no header can have
 */
export function createClient({ url, token, orgId, fetch: fetched = fetch }: ClientOptions): Client {
  const base = new URL(url).href.replace(/\/+$/, '');
  const identity = sendable({
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(orgId !== undefined && { 'x-axiom-org-id': orgId }),
  });

  const send = async (operation: Operation, request: Parts & { readonly signal?: AbortSignal } = {}) => {
    const route = routes[operation];
    const { headers, body } = contentOf(request, route.body === 'bytes');
    const answer = await fetched(base + targetOf(route.path, request), {
      method: route.method,
      headers: { ...headers, ...identity },
      // A redirect would turn a POST into a GET, and send the token elsewhere.
      redirect: 'error',
      ...(body !== undefined && { body }),
      ...(request.signal !== undefined && { signal: request.signal }),
    });
    const documented: readonly number[] = route.statuses;
    if (!answer.ok && !documented.includes(answer.status)) throw await errorOf(answer);
    return answer;
  };

  const call = async (operation: Operation, request?: Parts): Promise<unknown> => {
    const answer = await send(operation, request);
    switch (routes[operation].answer) {
      case 'json':
        return parsed(answer);
      case 'bytes':
        return new Uint8Array(await answer.arrayBuffer());
      case 'empty':
        await answer.body?.cancel();
        return undefined;
    }
  };

  // The table and the types come from the same routes, which makes what `call` gives an
  // `AnswerOf<O>`.
  return { call, send } as Client;
}

/** @throws ApiError when it is not JSON */
async function parsed(answer: Response): Promise<unknown> {
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(answer, error);
  }
}
