import type { Logger } from 'pino';
import type { Static, TObject, TSchema } from 'typebox';
import type { Need, Principal } from '../access/allowed.js';
import type { DatasetRight, ViewRight } from '../access/capabilities.js';
import type { ErrorCode, HttpError } from '../errors.js';

/** What a route is, and what its handler gets and gives. Registration, access, validation, OpenAPI and docs/http.md derive from `Route`. */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/**
 * What a route needs before its handler runs. `param` names the path parameter that holds the dataset or view, `header` the header, in lower case;
 * without them the right must be held somewhere, and the handler calls `call.require` for each dataset or view the request turns out to be about.
 */
export type RouteNeed =
  | Extract<Need, { scope: 'public' | 'login' | 'org' }>
  | ({ readonly scope: 'dataset' } & Naming & DatasetRight)
  | ({ readonly scope: 'view' } & Naming & ViewRight)
  | ({ readonly scope: 'query' } & Naming);

/** What part of a request names the dataset or view. */
interface Naming {
  readonly param?: string;
  readonly header?: string;
}

/** Where a request says which dataset or view it is about; undefined if that is not known before its handler runs. */
export function namingOf(need: RouteNeed): { readonly in: 'path' | 'header'; readonly name: string } | undefined {
  if (!('param' in need || 'header' in need)) return undefined;
  if (need.param !== undefined) return { in: 'path', name: need.param };
  return need.header === undefined ? undefined : { in: 'header', name: need.header };
}

/** Schemas of a request. Header names are in lower case. `bytes` is a body of any content type, handed over as it came. */
export interface RequestShape {
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly body?: TSchema | 'bytes';
}

type Parsed<S> = S extends TObject ? Static<S> : Readonly<Record<never, never>>;
type ParsedBody<S> = S extends 'bytes' ? Uint8Array : S extends TSchema ? Static<S> : undefined;

/** One request, authenticated, allowed and validated. */
export interface Call<Shape extends RequestShape = RequestShape> {
  readonly params: Parsed<Shape['params']>;
  readonly query: Parsed<Shape['query']>;
  readonly headers: Parsed<Shape['headers']>;
  readonly body: ParsedBody<Shape['body']>;
  readonly principal: Principal;
  /** 32 hex digits, also in the `X-Axiom-Trace-Id` header of the answer. */
  readonly traceId: string;
  readonly log: Logger;
  /** Aborts when the client goes away, or when somebody else stops the work that its request makes. */
  readonly abort: AbortController;
  /**
   * Checks a right that is known only now.
   * @throws HttpError `forbidden`
   */
  require(need: Need): void;
  /** The same check as a question. */
  may(need: Need): boolean;
  /** Notes that a part of the request failed, which the status of the answer does not tell: a refusal goes to the audit log. */
  partFailed(error: HttpError): void;
}

export type Headers = Readonly<Record<string, string>>;

/** What a handler answers; made with `json`, `bytes` and `empty`. */
export type Answer =
  | { readonly kind: 'json'; readonly status: number; readonly value: unknown; readonly headers: Headers }
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

/** Bytes that are sent as they are; an iterable is streamed at the pace of the client. */
export const bytes = (
  content: Uint8Array | string | AsyncIterable<Uint8Array>,
  mediaType = 'application/json',
  status = 200,
  headers: Headers = {},
): Answer => ({ kind: 'bytes', status, mediaType, content, headers });

export const empty = (status = 204, headers: Headers = {}): Answer => ({ kind: 'empty', status, headers });

/** What one status of a route looks like: its body's schema (absent: no body) or media type. */
export interface ResponseRecord {
  readonly description: string;
  readonly schema?: TSchema;
  /** Default `application/json`. */
  readonly mediaType?: string;
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
  /** Parameters in braces: `/v2/datasets/{id}`. */
  readonly path: string;
  /** Unique name of the operation, `createDataset`. */
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
  /** It gives or takes rights, or ends something rights are on: it is handled when no other such request is, with the rights the caller then has. */
  readonly changesRights?: true;
  /** Integers of the body that a number cannot hold are `bigint`. */
  readonly exactIntegers?: boolean;
  /**
   * Takes OTLP: bodies of protobuf beside those of JSON. Who sends protobuf is answered in it, errors too: as `google.rpc.Status`.
   */
  readonly protobuf?: true;
  /** Bytes of body accepted; default is the limit for JSON requests. */
  readonly maxBodyBytes?: number;
  /** Whose limit headers a refusal for rate also carries. */
  readonly limitFamily?: 'Ingest' | 'Query';
  /** A GET that takes as long as its answer is: HEAD, which would do all of it for nothing, is refused. */
  readonly refusesHead?: true;
  /** Called when the caller is known to be allowed and before the body is read; throws to refuse a body that could not be handled. */
  admit?(): void;
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
  // The server validates every request against the schemas before it calls the handler, which makes a `Call` a `Call<Shape>`.
  return { errors: [], examples: [], ...declared } as unknown as Route;
}
