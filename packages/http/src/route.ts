import type { Logger } from 'pino';
import type { Static, TObject, TSchema } from 'typebox';
import type { RequiredPermission, Principal } from './access/authorize.js';
import type { DatasetRight, ViewRight } from '@millrace/api/schemas/capabilities';
import type { TokenPlace, TokenStatus } from './access/token-locations.js';
import type { ErrorCode, HttpError, MismatchCode } from '@millrace/api/errors';
import type { InflightBody, RefuseBody } from './body/inflight-bodies.js';
import type { ErrorFormat } from './errors/error-format.js';
import type { Sender } from './connections/sender.js';

/**
 * Definition of a route, with the input and output of its handler. Registration, access,
 * validation, OpenAPI and docs/http/ derive from `Route`.
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/**
 * Right that a route requires before its handler runs. `param` is the path parameter that names the
 * dataset or view, `header` the lower-case header that does. Without either, the right on any
 * dataset or view suffices, and the handler calls `call.require` for each one that the request
 * affects.
 */
export type RouteNeed =
  | Extract<RequiredPermission, { scope: 'public' | 'login' | 'org' }>
  | ({ readonly scope: 'dataset' } & NameLocation & DatasetRight)
  | ({ readonly scope: 'view' } & NameLocation & ViewRight)
  | ({ readonly scope: 'query' } & NameLocation);

/** Which part of a request names the dataset or view. */
interface NameLocation {
  readonly param?: string;
  readonly header?: string;
  /** A header that wins over it. */
  readonly preferred?: string;
  /** The name if the header is missing or empty. */
  readonly otherwise?: string;
  /** What to do about a missing header, for the error. */
  readonly hint?: string;
}

/**
 * The part of a request that names its dataset or view; undefined if they are not known before the
 * handler runs.
 */
export function namingOf(need: RouteNeed): { readonly in: 'path' | 'header'; readonly name: string } | undefined {
  if (!('param' in need || 'header' in need)) return undefined;
  if (need.param !== undefined) return { in: 'path', name: need.param };
  return need.header === undefined ? undefined : { in: 'header', name: need.header };
}

/** An organization that a sign-in is for, and the user there. */
export interface Admission {
  readonly org: string;
  readonly principal: Principal;
}

/**
 * Schemas of a request. Header names are in lower case. `bytes` is a body of any content type,
 * passed on unchanged; `stream` is a body of any length, passed on while it arrives, with
 * backpressure.
 */
export interface RequestShape {
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly body?: TSchema | 'bytes' | 'stream';
}

type ParsedObject<S> = S extends TObject ? Static<S> : Readonly<Record<never, never>>;
type ParsedBody<S> = S extends 'bytes'
  ? Uint8Array
  : S extends 'stream'
    ? AsyncIterable<Buffer>
    : S extends TSchema
      ? Static<S>
      : undefined;

/** The peer of a connection, and every header of a request with all its values. */
interface Connection {
  readonly peer: string;
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
}

/** One request, authenticated, allowed and validated. */
export interface RequestContext<Shape extends RequestShape = RequestShape> {
  readonly params: ParsedObject<Shape['params']>;
  readonly query: ParsedObject<Shape['query']>;
  readonly headers: ParsedObject<Shape['headers']>;
  readonly body: ParsedBody<Shape['body']>;
  /**
   * Decodes the body as text, for routes that store it verbatim; empty if there is none. No
   * property: a copy of the context would decode every body.
   */
  text(): string;
  readonly principal: Principal;
  readonly sender: Sender;
  /** The connection as it is, whatever proxies say about it. */
  readonly connection: Connection;
  /** 32 hex digits, also in the `X-Axiom-Trace-Id` header of the response. */
  readonly traceId: string;
  readonly log: Logger;
  /** Aborted when the client goes away; others may abort it to stop the work of the request. */
  readonly abort: AbortController;
  /**
   * Checks a right that was not known before the handler ran.
   * @throws HttpError `forbidden`
   */
  require(need: RequiredPermission): void;
  /** Whether `require` would pass. */
  may(need: RequiredPermission): boolean;
  /**
   * Checks authentication and rights again, for requests that take long or consist of several
   * steps. `require` and `may` then use the new rights.
   * @throws HttpError `unauthenticated`, `forbidden`
   */
  renew(): Promise<void>;
  /** Counts the bytes that the handler buffers of a streamed body. */
  holding(): InflightBody;
  /**
   * Records that a part of the request failed, which the status of the response does not show.
   * Rejections go to the audit log.
   */
  partFailed(error: HttpError): void;
  /**
   * Records whom a public route identified, for the log and the audit log.
   * @param subject what the request is about
   * @param admissions organizations whose audit logs get it, instead of the one of the request; the
   *   first one logs the request
   */
  identified(principal: Principal, subject?: string, admissions?: readonly Admission[]): void;
  /**
   * Reports where the time of a part of the request goes, for the log line and `Server-Timing`.
   * @param spent returns milliseconds so far by phase; parts are added up
   */
  timed(spent: () => Readonly<Record<string, number>>): void;
}

export type Headers = Readonly<Record<string, string>>;

/** Result of a handler; created with `json`, `bytes` and `empty`. */
export type RouteResponse =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly value: unknown;
      /** The value as text, if it must be sent verbatim. */
      readonly text?: string;
      readonly headers: Headers;
    }
  | {
      readonly kind: 'bytes';
      readonly status: number;
      readonly mediaType: string;
      readonly content: Uint8Array | string | AsyncIterable<Uint8Array>;
      readonly headers: Headers;
    }
  | { readonly kind: 'empty'; readonly status: number; readonly headers: Headers };

export const json = (value: unknown, status = 200, headers: Headers = {}): RouteResponse => ({
  kind: 'json',
  status,
  value,
  headers,
});

/** A JSON value with its verbatim text. */
export const jsonText = (value: unknown, text: string, status = 200): RouteResponse => ({
  kind: 'json',
  status,
  value,
  text,
  headers: {},
});

/** Bytes that are sent unchanged; an iterable is streamed at the pace of the client. */
export const bytes = (
  content: Uint8Array | string | AsyncIterable<Uint8Array>,
  mediaType: string,
  status = 200,
  headers: Headers = {},
): RouteResponse => ({ kind: 'bytes', status, mediaType, content, headers });

export const empty = (status = 204, headers: Headers = {}): RouteResponse => ({ kind: 'empty', status, headers });

/** Response for one status: the schema of its body (absent: no body) or its media types. */
export interface ResponseRecord {
  readonly description: string;
  readonly schema?: TSchema;
  /**
   * Default `application/json`; several if the request selects one. The schema is for the first.
   */
  readonly mediaTypes?: readonly string[];
}

export interface Example {
  readonly summary: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value, or the text of a `bytes` body. */
  readonly body?: unknown;
  readonly answer?: unknown;
}

export interface Route {
  readonly method: Method;
  /**
   * With parameters in braces: `/v2/datasets/{id}`; the last one may stand for the rest of the
   * path, as in `/console/{path*}`.
   */
  readonly path: string;
  /** Unique name of the operation, such as `createDataset`. */
  readonly operation: string;
  /** Section of the documentation. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly need: RouteNeed;
  readonly request: RequestShape;
  readonly responses: Readonly<Record<number, ResponseRecord>>;
  /** Errors beyond those every route of its kind has (see `errorsOf`). */
  readonly errors: readonly ErrorCode[];
  readonly examples: readonly Example[];
  /**
   * The route grants or revokes rights, or deletes something that rights refer to. Such requests
   * run one at a time, with the caller's rights at that time.
   */
  readonly changesRights?: true;
  /** A successful GET goes to the audit log, because it changes something. */
  readonly audited?: true;
  /** The request changes nothing, although it is no GET: it is audited only if it is rejected. */
  readonly changesNothing?: true;
  /** A page that browsers open, not part of the API. */
  readonly page?: true;
  /**
   * Accepts a sign-in code or a token in the header, also below the console's mount: this route
   * creates a session.
   */
  readonly signsIn?: true;
  /** Integers in the body that a number cannot represent exactly become `bigint`. */
  readonly exactIntegers?: boolean;
  /** Places in addition to `Authorization: Bearer` that may contain the token. */
  readonly tokenIn?: readonly TokenPlace[];
  /** Status of a failed authentication. Default: the setting `auth-failure-status`. */
  readonly badTokenStatus?: TokenStatus;
  /**
   * Part of another product's API, used by its clients: excluded from the OpenAPI document and the
   * client.
   */
  readonly shipper?: true;
  /** The path contains a secret: logs show the path of the route table. */
  readonly secretPath?: true;
  /** Format of errors, if it is not `{code, message}`. */
  readonly errorForm?: ErrorFormat;
  /**
   * The code of a body that is not as its schema describes it, where clients know another one than
   * `invalid-request`.
   */
  readonly mismatch?: MismatchCode;
  /** Media types that a `bytes` body is documented to have. Default: those of native ingest. */
  readonly bodyTypes?: readonly string[];
  /** Longest body accepted, in bytes; by default the limit for JSON requests. */
  readonly maxBodyBytes?: number;
  /** The family of rate-limit headers in a response to too many requests. */
  readonly limitFamily?: 'Ingest' | 'Query';
  /** Rejects query parameters that resemble known ones; see `unknown-parameters.ts`. */
  readonly refusesMisspelt?: true;
  /**
   * A GET whose work grows with its response. HEAD is rejected, because it would do all of that
   * work in order to discard the result.
   */
  readonly refusesHead?: true;
  /**
   * The response is streamed: its length is unknown, and only the last chunk marks its end.
   * HTTP/1.0 has no chunks, so a truncated response would look complete; such requests are
   * rejected.
   */
  readonly streams?: true;
  /**
   * Called after the access check, before the body is read and again while a large one arrives;
   * throws to reject a body that cannot be handled.
   * @param others received bytes of other bodies
   */
  readonly admit?: RefuseBody;
  handle(call: RequestContext): Promise<RouteResponse> | RouteResponse;
}

type RouteOf<Shape extends RequestShape> = Omit<Route, 'request' | 'handle' | 'errors' | 'examples'> & {
  readonly request: Shape;
  readonly errors?: readonly ErrorCode[];
  readonly examples?: readonly Example[];
  handle(call: RequestContext<Shape>): Promise<RouteResponse> | RouteResponse;
};

/** Declares a route; the handler's call is typed by the request schemas. */
export function route<const Shape extends RequestShape>(declared: RouteOf<Shape>): Route {
  // The server validates every request against the schemas before it calls the handler, which makes
  // a `Call` a `Call<Shape>`.
  return { errors: [], examples: [], ...declared } as unknown as Route;
}
