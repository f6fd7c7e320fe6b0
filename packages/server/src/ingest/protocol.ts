import type { TokenPlace } from '../access/token-places.js';
import type { ErrorForm } from '../http/error-form.js';
import type { Answer, Method } from '../http/route.js';
import type { IngestStatus } from './answer.js';
import type { SentOptions } from './encode-body.js';
import type { BodyFormat } from './formats/format.js';

/**
 * What a protocol of shippers is: its paths, where token and dataset come from, how a body becomes events, and how each outcome is said in its words.
 * Everything else is the same for all: `protocol-routes.ts`.
 */
export interface Protocol {
  /** As its users call it: `Splunk HEC`. */
  readonly title: string;
  /** Where its programs put the token, besides `Authorization: Bearer`. */
  readonly tokenIn: readonly TokenPlace[];
  readonly errorForm: ErrorForm;
  /** How bodies become events. `options.form` says which of the protocol's forms a body is in. */
  readonly format: BodyFormat;
  readonly endpoints: readonly Endpoint[];
}

/** A request of a shipper. */
export interface ShipperRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  /** The beginning of the body without its content encoding. */
  beginning(): Buffer;
}

/** How the events of a request are to be read. */
export interface Reading {
  /** Where they go; if nothing is said, the only dataset that the token may send to. */
  readonly dataset?: string | undefined;
  readonly options?: Partial<SentOptions>;
  /** What is added to every event; its own keys win. */
  readonly labels?: Readonly<Record<string, unknown>>;
  /** The id that the request has whenever it is sent again. */
  readonly requestId?: string | undefined;
}

/** What became of a request with events. */
export interface Outcome {
  readonly status: IngestStatus;
  /** What the protocol's format says of each event. */
  readonly items?: Uint8Array | undefined;
  readonly request: ShipperRequest;
}

interface EndpointParts {
  readonly methods: readonly Method[];
  readonly path: string;
  /** The path holds the token: it is not logged as it was sent. */
  readonly secretPath?: true;
  /** Names of query parameters and headers that are read. */
  readonly query?: readonly string[];
  readonly headers?: readonly string[];
}

/** Takes events. */
export interface EventsEndpoint extends EndpointParts {
  readonly kind: 'events';
  /** How the request is to be read, or its answer if it has no events. */
  read(request: ShipperRequest): Reading | { readonly answer: Answer };
  answer(outcome: Outcome): Answer;
}

/** Answers what programs ask before they send. */
export interface HandshakeEndpoint extends EndpointParts {
  readonly kind: 'handshake';
  /** Also without a token. */
  readonly open?: true;
  answer(request: ShipperRequest): Answer;
}

export type Endpoint = EventsEndpoint | HandshakeEndpoint;
