import type { Logger } from 'pino';
import type { Static, TObject, TSchema } from 'typebox';
import type { Need, Principal } from '../access/allowed.js';
import type { DatasetRight, ViewRight } from '../schemas/capabilities.js';
import type { TokenPlace } from '../access/token-places.js';
import type { ErrorCode, HttpError, MismatchCode } from '../errors.js';
import type { ArrivingBody, RefuseBody } from './body/arriving-bodies.js';
import type { ErrorForm } from './errors/error-form.js';
import type { Sender } from './connections/sender.js';

/**
 * What a route is, and what its handler takes and returns. Registration, access, validation,
 * OpenAPI and docs/http.md derive from `Route`.
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/**
 * The right a route needs before its handler runs. `param` is the path parameter that names the
 * dataset or view, `header` the header that does, in lower case. Without either, the right must be
 * held on some dataset or view, and the handler calls `call.require` for each one the request turns
 * out to be about.
 */
export type RouteNeed =
  | Extract<Need, { scope: 'public' | 'login' | 'org' }>
  | ({ readonly scope: 'dataset' } & Naming & DatasetRight)
  | ({ readonly scope: 'view' } & Naming & ViewRight)
  | ({ readonly scope: 'query' } & Naming);

/** Which part of a request names the dataset or view. */
interface Naming {
  readonly param?: string;
  readonly header?: string;
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

/**
 * Schemas of a request. Header names are in lower case. `bytes` is a body of any content type,
 * passed on unchanged; `stream` is one that is passed on as it comes, however long it is, as long
 * as the handler reads it.
 */
export interface RequestShape {
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly body?: TSchema | 'bytes' | 'stream';
}

type Parsed<S> = S extends TObject ? Static<S> : Readonly<Record<never, never>>;
type ParsedBody<S> = S extends 'bytes'
  ? Uint8Array
  : S extends 'stream'
    ? AsyncIterable<Buffer>
    : S extends TSchema
      ? Static<S>
      : undefined;

/** One request, authenticated, allowed and validated. */
export interface Call<Shape extends RequestShape = RequestShape> {
  readonly params: Parsed<Shape['params']>;
  readonly query: Parsed<Shape['query']>;
  readonly headers: Parsed<Shape['headers']>;
  readonly body: ParsedBody<Shape['body']>;
  /** The body as text, for routes to which its spelling matters; empty if there is none. */
  readonly text: string;
  readonly principal: Principal;
  readonly sender: Sender;
  /** 32 hex digits, also in the `X-Axiom-Trace-Id` header of the answer. */
  readonly traceId: string;
  readonly log: Logger;
  /** Aborted when the client goes away; others may abort it to stop the work of the request. */
  readonly abort: AbortController;
  /**
   * Checks a right that was not known before the handler ran.
   * @throws HttpError `forbidden`
   */
  require(need: Need): void;
  /** Whether `require` would pass. */
  may(need: Need): boolean;
  /**
   * Looks again who asks, and whether they may: for requests that take long, or do one thing after
   * the other. `require` and `may` are about that from then on.
   * @throws HttpError `unauthenticated`, `forbidden`
   */
  renew(): Promise<void>;
  /** Counts what the handler holds of a body that it reads as a stream. */
  holding(): ArrivingBody;
  /**
   * Notes that a part of the request failed, which the status of the answer does not show. If it
   * was refused, that goes to the audit log.
   */
  partFailed(error: HttpError): void;
}

export type Headers = Readonly<Record<string, string>>;

/** What a handler returns; made with `json`, `bytes` and `empty`. */
export type Answer =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly value: unknown;
      /** The value as text, where its spelling matters. */
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

export const json = (value: unknown, status = 200, headers: Headers = {}): Answer => ({
  kind: 'json',
  status,
  value,
  headers,
});

/** A JSON value whose spelling matters, as text. */
export const jsonText = (value: unknown, text: string, status = 200): Answer => ({
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
): Answer => ({ kind: 'bytes', status, mediaType, content, headers });

export const empty = (status = 204, headers: Headers = {}): Answer => ({ kind: 'empty', status, headers });

/**
 * What an answer with one status looks like: the schema of its body (absent: no body) or its media
 * types.
 */
export interface ResponseRecord {
  readonly description: string;
  readonly schema?: TSchema;
  /**
   * Default `application/json`; several where the request chooses. The schema is that of the first.
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
   * The route gives or takes rights, or deletes something that rights are held on. Such requests
   * are handled one at a time, with the rights the caller has at that time.
   */
  readonly changesRights?: true;
  /** It is for browsers that open it, and no part of the interface that programs use. */
  readonly page?: true;
  /**
   * Takes a sign-in code as well as a token, and both in the header also below the console's mount:
   * a session begins here.
   */
  readonly signsIn?: true;
  /** Integers of the body that a number cannot hold exactly become `bigint`. */
  readonly exactIntegers?: boolean;
  /** Places besides `Authorization: Bearer` where the token may be. */
  readonly tokenIn?: readonly TokenPlace[];
  /**
   * Part of another interface, spoken by programs that were made for it: it is in neither the
   * OpenAPI document nor the client.
   */
  readonly shipper?: true;
  /** The path holds a secret: logs have the path of the table. */
  readonly secretPath?: true;
  /** How clients are told of errors, where it is not `{code, message}`. */
  readonly errorForm?: ErrorForm;
  /**
   * The code of a body that is not as its schema describes it, where clients know another one than
   * `invalid-request`.
   */
  readonly mismatch?: MismatchCode;
  /** Media types that a `bytes` body is documented to have. Default: those of native ingest. */
  readonly bodyTypes?: readonly string[];
  /** Longest body accepted, in bytes; by default the limit for JSON requests. */
  readonly maxBodyBytes?: number;
  /** The family of rate-limit headers that a refusal for too many requests also carries. */
  readonly limitFamily?: 'Ingest' | 'Query';
  /** Query parameters that resemble known ones are refused; see `misspelt.ts`. */
  readonly refusesMisspelt?: true;
  /**
   * A GET whose work grows with its answer: HEAD is refused, because it would do all of that work
   * for nothing.
   */
  readonly refusesHead?: true;
  /**
   * The length of the answer is not known when it begins, and only the last chunk marks its end.
   * HTTP/1.0 has no chunks, so a part of the answer would pass for all of it; such requests are
   * refused.
   */
  readonly streams?: true;
  /**
   * Called once the caller is known to have the right, before the body is read and again while a
   * large one arrives; throws to refuse a body that could not be handled.
   * @param others bytes that have arrived of other bodies
   */
  readonly admit?: RefuseBody;
  handle(call: Call): Promise<Answer> | Answer;
}

type RouteOf<Shape extends RequestShape> = Omit<Route, 'request' | 'handle' | 'errors' | 'examples'> & {
  readonly request: Shape;
  readonly errors?: readonly ErrorCode[];
  readonly examples?: readonly Example[];
  handle(call: Call<Shape>): Promise<Answer> | Answer;
};

/** Declares a route; the handler's call is typed by the request schemas. */
export function route<const Shape extends RequestShape>(declared: RouteOf<Shape>): Route {
  // The server validates every request against the schemas before it calls the handler, which makes
  // a `Call` a `Call<Shape>`.
  return { errors: [], examples: [], ...declared } as unknown as Route;
}
