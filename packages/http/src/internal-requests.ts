import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';

/** A request that another listener of this process received. */
export interface InternalRequest {
  readonly method: 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Read only after the request was authenticated and admitted. */
  readonly body: Readable;
  /** Address of the client. */
  readonly remoteAddress: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface InternalResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Reads the content. */
  content(): Promise<Buffer>;
}

/**
 * Passes a request to the app without a socket, through all of its hooks: authentication, limits,
 * capacity, request log and audit are those of HTTP. Resolves when the response begins, which is
 * before the end of the body if the request is rejected.
 */
export type SendInternally = (request: InternalRequest) => Promise<InternalResponse>;

export const internalRequests =
  (app: Pick<FastifyInstance, 'inject'>): SendInternally =>
  async ({ path, body, ...request }) => {
    const { statusCode, headers, stream } = await app.inject({
      ...request,
      headers: { ...request.headers },
      url: path,
      payload: body,
      payloadAsStream: true,
    });
    return {
      status: statusCode,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()])),
      content: () => buffer(stream()),
    };
  };
