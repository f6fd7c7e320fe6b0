import type { TokenPlace } from '../access/token-places.js';
import type { ErrorForm } from '../http/errors/error-form.js';
import type { Answer, Method } from '../http/route.js';
import type { HttpError } from '../errors.js';
import type { IngestStatus } from './answer.js';
import type { SentOptions } from './encode-body.js';
import type { BodyFormat } from './formats/format.js';
import type { IngestReply } from './ingest-reply.js';
import type { Settings } from '../settings/settings.js';
import type { SocketProtocol } from './sockets/socket-protocol.js';

/**
 * What a protocol of shippers is: its paths, where token and dataset come from, how a body becomes
 * events, and how each outcome is said in its words. Everything else is the same for all:
 * `protocol-routes.ts`.
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
  /** How it is taken from sockets of its own, if it is. */
  readonly sockets?: SocketProtocol;
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
  /**
   * Events may name a dataset themselves; `dataset` is for those that do not, and the first that is
   * read.
   */
  readonly several?: true;
  readonly options?: Partial<SentOptions>;
  /** What is added to every event; its own keys win. */
  readonly labels?: Readonly<Record<string, unknown>>;
  /** The id that the request has whenever it is sent again. */
  readonly requestId?: string | undefined;
}

/** What became of a request with events. */
export interface Outcome {
  /** Of all of its parts. */
  readonly status: IngestStatus;
  /** What the protocol's format says of each event. */
  readonly items?: Uint8Array | undefined;
  /** The events for each dataset: mostly for one. At least one part was taken. */
  readonly parts: readonly PartOutcome[];
  readonly request: ShipperRequest;
}

/** What became of the events for one dataset, or why they were not taken. */
export type PartOutcome = { readonly dataset: string } & (
  | { readonly reply: IngestReply }
  | { readonly refused: HttpError }
);

/** Settings that answers depend on. */
export type ProtocolSettings = Pick<Settings, 'elasticVersion' | 'vercelSecret'>;

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
  /** @throws HttpError if the request is refused */
  read(request: ShipperRequest, settings: ProtocolSettings): Reading | { readonly answer: Answer };
  answer(outcome: Outcome): Answer;
}

/**
 * Takes events that come in a stream, perhaps without an end: parts of it are stored as they come.
 */
export interface StreamEndpoint extends EndpointParts {
  readonly kind: 'stream';
  /**
   * How many of these bytes are whole events; 0 if none are.
   * @param from where an earlier look at the same bytes ended
   */
  wholeEvents(bytes: Buffer, from: number): WholeEvents;
  /** When all of it is stored. */
  answer(): Answer;
}

interface WholeEvents {
  readonly end: number;
  /** Where to look on when more has come: no byte need be looked at twice. */
  readonly from: number;
}

/** Answers what programs ask before they send. */
export interface HandshakeEndpoint extends EndpointParts {
  readonly kind: 'handshake';
  /** Also without a token. */
  readonly open?: true;
  answer(request: ShipperRequest, settings: ProtocolSettings): Answer;
}

export type Endpoint = EventsEndpoint | StreamEndpoint | HandshakeEndpoint;
