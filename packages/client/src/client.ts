import { errorOf, notJson } from './api-error.js';
import { type Operations, routes } from './operations.js';
import { contentOf, type Parts, checkHeaders, targetOf } from './request.js';

export type Operation = keyof Operations;
export type AnswerOf<O extends Operation> = Operations[O]['answer'];
export type RequestOf<O extends Operation> = Operations[O]['request'] & { readonly signal?: AbortSignal };

/** Arguments after the operation name: the request is optional if all its parts are. */
export type RequestArguments<O extends Operation> =
  Record<never, never> extends Operations[O]['request'] ? [request?: RequestOf<O>] : [request: RequestOf<O>];

export interface ClientOptions {
  /** Server URL, `https://events.example.com`; may have a path. */
  readonly url: string;
  /** Omitted where a session cookie authenticates. */
  readonly token?: string;
  /** For servers with several organizations. */
  readonly orgId?: string;
  /** Replaces the global `fetch`, for proxies or tests. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface Client {
  /**
   * Calls an operation and returns its response: parsed JSON, bytes, or undefined if empty.
   * Integers beyond 2^53 are rounded; use `send` for their text.
   * @throws ApiError for an error response; TypeError for a path parameter or header value that
   * cannot be sent; errors of `fetch` if the server is unreachable or the request is aborted
   */
  call<O extends Operation>(operation: O, ...given: RequestArguments<O>): Promise<AnswerOf<O>>;
  /**
   * Returns the response with its body unread: for streams, headers and other formats.
   * @throws as `call`
   */
  send<O extends Operation>(operation: O, ...given: RequestArguments<O>): Promise<Response>;
}

/**
 * Creates a client for any server with this API. It does not retry or cache.
 * @throws TypeError when the URL is invalid, or the token or organization has characters that
 * headers cannot carry
 */
export function createClient({ url, token, orgId, fetch: fetched = fetch }: ClientOptions): Client {
  const base = new URL(url).href.replace(/\/+$/, '');
  const identity = checkHeaders({
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(orgId !== undefined && { 'x-axiom-org-id': orgId }),
  });

  const send = async (operation: Operation, request: Parts & { readonly signal?: AbortSignal } = {}) => {
    const route = routes[operation];
    const { headers, body } = contentOf(request, route.body === 'bytes');
    const answer = await fetched(base + targetOf(route.path, request), {
      method: route.method,
      headers: { ...headers, ...identity },
      // A redirect would turn POST into GET and send the token to another host.
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
        return parseAnswer(answer);
      case 'bytes':
        return new Uint8Array(await answer.arrayBuffer());
      case 'empty':
        await answer.body?.cancel();
        return undefined;
    }
  };

  // Safe: table and types are generated from the same routes.
  return { call, send } as Client;
}

/** @throws ApiError when it is not JSON */
async function parseAnswer(answer: Response): Promise<unknown> {
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(answer, error);
  }
}
