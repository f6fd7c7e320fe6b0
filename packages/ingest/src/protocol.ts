import type { TokenPlace, TokenStatus } from '@millrace/http/access/token-locations';
import type { ErrorFormat } from '@millrace/http/errors/error-format';
import type { RouteResponse, Method } from '@millrace/http/route';
import type { HttpError } from '@millrace/api/errors';
import type { DatasetKind } from '@millrace/api/schemas/dataset';
import type { IngestStatus } from './response.js';
import type { SentOptions } from './encode-body.js';
import type { BodyFormat } from './formats/format.js';
import type { IngestReply } from './ingest-reply.js';
import type { Settings } from '@millrace/http/settings/settings';
import type { SocketProtocol } from './sockets/socket-protocol.js';

/**
 * Definition of a shipper's protocol: its paths, where token and dataset are, how a body becomes
 * events, and its response format. `protocol-routes.ts` has the common part.
 */
export interface Protocol {
  /** Display name: `Splunk HEC`. */
  readonly title: string;
  /** Where its clients put the token, in addition to `Authorization: Bearer`. */
  readonly tokenIn: readonly TokenPlace[];
  /**
   * How the product responds to requests without a valid token; absent if there are no tokens. Some
   * programs retry after 401 and discard their data after 403.
   */
  readonly badToken?: BadToken;
  /** The kind of its datasets; events if omitted. */
  readonly kind?: DatasetKind;
  readonly errorForm: ErrorFormat;
  /** How bodies become events. `options.form` selects one of the protocol's forms. */
  readonly format: BodyFormat;
  readonly endpoints: readonly Endpoint[];
  /** How it is received over raw sockets, if it is. */
  readonly sockets?: SocketProtocol;
}

interface BadToken {
  /** Status for a token that is malformed, unknown, deleted or expired. */
  readonly status: TokenStatus;
  /** Status without a token, if `errorForm` gives it another one. */
  readonly missing?: TokenStatus;
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

/** A parsed request: how to read its events. */
export interface ParsedRequest {
  /** Dataset of the events. Default: the only dataset that the token may send to. */
  readonly dataset?: string | undefined;
  /** Events may name a dataset. `dataset` is for events that do not, and is read first. */
  readonly several?: true;
  readonly options?: Partial<SentOptions>;
  /** Fields added to every event; the event's own values win. */
  readonly labels?: Readonly<Record<string, unknown>>;
  /** The id that the request has whenever it is sent again. */
  readonly requestId?: string | undefined;
}

/** Outcome of an ingest request. */
export interface Outcome {
  /** Of all parts. */
  readonly status: IngestStatus;
  /** Details that the protocol's format reports per event. */
  readonly items?: Uint8Array | undefined;
  /** The outcomes by dataset, usually one. At least one part was accepted. */
  readonly parts: readonly PartOutcome[];
  readonly request: ShipperRequest;
}

/** Outcome of the events for one dataset, or the reason why they were rejected. */
export type PartOutcome = { readonly dataset: string } & (
  | { readonly reply: IngestReply }
  | { readonly refused: HttpError }
);

/** Settings that affect responses. */
export type ProtocolSettings = Pick<
  Settings,
  'elasticVersion' | 'vercelSecret' | 'otlpLogsDataset' | 'otlpTracesDataset' | 'otlpMetricsDataset'
>;

interface EndpointParts {
  readonly methods: readonly Method[];
  readonly path: string;
  /** The path contains the token: logs do not show it as sent. */
  readonly secretPath?: true;
  /** Names of query parameters and headers that are read. */
  readonly query?: readonly string[];
  readonly headers?: readonly string[];
}

/** Accepts events. */
export interface EventsEndpoint extends EndpointParts {
  readonly kind: 'events';
  /** Parses the request; returns a response if it has no events. */
  /** @throws HttpError if the request is rejected */
  read(request: ShipperRequest, settings: ProtocolSettings): ParsedRequest | { readonly answer: RouteResponse };
  answer(outcome: Outcome): RouteResponse;
}

/** Accepts a possibly endless stream of events: parts of it are stored while it arrives. */
export interface StreamEndpoint extends EndpointParts {
  readonly kind: 'stream';
  /**
   * Number of bytes that are complete events; 0 if none are.
   * @param from where the previous scan of the same bytes ended
   */
  wholeEvents(bytes: Buffer, from: number): WholeEvents;
  /** The response when the complete stream is stored. */
  answer(): RouteResponse;
}

interface WholeEvents {
  readonly end: number;
  /** Where to resume the scan when more bytes have arrived. */
  readonly from: number;
}

/** Responds to requests that clients send before they ingest. */
export interface HandshakeEndpoint extends EndpointParts {
  readonly kind: 'handshake';
  /** Also without a token. */
  readonly open?: true;
  answer(request: ShipperRequest, settings: ProtocolSettings): RouteResponse;
}

export type Endpoint = EventsEndpoint | StreamEndpoint | HandshakeEndpoint;
