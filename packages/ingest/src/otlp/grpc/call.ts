import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { buffer } from 'node:stream/consumers';
import type { Logger } from 'pino';
import { Yielder } from '@millrace/runtime/async/yield';
import { httpError } from '@millrace/api/errors';
import { protobufMediaType } from '@millrace/http/errors/protobuf-errors';
import type { SendInternally } from '@millrace/http/internal-requests';
import { CorruptDataError } from '../../bytes/corrupt-data-error.js';
import { healthResponse, maxHealthBytes, serviceIn } from './health.js';
import { frameMessage, Message } from './message.js';
import { hasService, methodAt } from './methods.js';
import { grpcCodes, type GrpcStatus, statusOfResponse, trailersOf } from './status.js';
import { parseTimeout } from './timeout.js';

interface CallDependencies {
  readonly send: SendInternally;
  /** Timeout for receiving a request, in milliseconds. */
  readonly requestTimeout: number;
  readonly maxBodyBytes: number;
  readonly logger: Logger;
  /** Whether new requests are accepted. */
  isServing(): boolean;
}

/** A call of a gRPC method. */
interface Call {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly message: Message;
  /** Aborted if the call fails before its response. */
  readonly signal: AbortSignal;
}

/** Result of a call: a message if it succeeded. */
interface CallResult extends GrpcStatus {
  readonly content?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

const contentType = 'application/grpc+proto';
/** Encodings of requests; the route decodes them. */
const encodings = 'identity,gzip,deflate,zstd';
/** Metadata that becomes headers of the internal request. */
const requestMetadata = [
  'authorization',
  'x-axiom-org-id',
  'x-axiom-dataset',
  'x-axiom-metrics-dataset',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-proto',
];
/** Headers of the route's response that become metadata. */
const responseMetadata = ['x-axiom-trace-id', 'x-millrace-position', 'x-millrace-error', 'retry-after'];

/** Runs a call and sends its result, also if it fails. */
export async function runCall(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  deps: CallDependencies,
): Promise<void> {
  if (!/^application\/grpc(\+proto)? *($|;)/i.test(headers['content-type'] ?? '')) {
    stream.respond({ ':status': 415 }, { endStream: true });
    return stream.close(constants.NGHTTP2_NO_ERROR);
  }
  let ending: CallResult | undefined;
  let resolveEnd: (result: CallResult) => void = () => undefined;
  const ended = new Promise<CallResult>((resolve) => (resolveEnd = resolve));
  // Not an error, which would have a stack: all streams of a connection end at once when it closes.
  const end = (code: number, message: string): void => resolveEnd((ending ??= { code, message }));
  stream.once('close', () => end(grpcCodes.unavailable, 'the client disconnected'));
  const message = new Message(stream, (problem) => end(grpcCodes.invalidArgument, problem));
  const expire = (milliseconds: number, message: string) =>
    setTimeout(() => end(grpcCodes.deadlineExceeded, message), milliseconds);
  const arrival = expire(deps.requestTimeout, 'the request did not arrive in time');
  const timeout = parseTimeout(textIn(headers['grpc-timeout']));
  const deadline = timeout === undefined ? undefined : expire(timeout, 'the deadline of the call has passed');
  stream.once('end', () => clearTimeout(arrival));
  const abort = new AbortController();
  // Node hands over all streams of what it read from a connection in one turn of the event loop.
  const yielder = new Yielder();
  let result: CallResult;
  try {
    await yielder.maybeYield();
    result = ending ?? (await Promise.race([ended, handle({ stream, headers, message, signal: abort.signal }, deps)]));
  } catch (error) {
    result = statusOfError(error, deps);
  }
  clearTimeout(arrival);
  clearTimeout(deadline);
  await yielder.maybeYield();
  if (result === ending) abort.abort(callEnded);
  if (!stream.destroyed && !stream.closed) respond(stream, result);
}

/** Why the request of an ended call is aborted. One for all calls, because a stack takes time. */
const callEnded = new Error('the gRPC call has ended');

function statusOfError(error: unknown, { logger, isServing }: CallDependencies): GrpcStatus {
  if (!isServing()) return { code: grpcCodes.unavailable, message: 'the server is shutting down', retrySeconds: 5 };
  logger.error({ err: error }, 'a gRPC call failed');
  return { code: grpcCodes.internal, message: 'internal error; see the server log' };
}

async function handle(call: Call, deps: CallDependencies): Promise<CallResult> {
  const path = call.headers[':path'] ?? '';
  const target = methodAt(path);
  if (target === undefined) {
    const message = `gRPC method ${path.slice(0, 200)} not found; supported: Export of OTLP logs and traces`;
    return { code: grpcCodes.unimplemented, message };
  }
  switch (target.kind) {
    case 'health':
      return checkHealth(call, deps);
    case 'route':
      return passOn(call, target.path, deps);
  }
}

async function checkHealth({ message }: Call, { isServing }: CallDependencies): Promise<CallResult> {
  const { length } = await message.prefix();
  if (length > maxHealthBytes)
    return { code: grpcCodes.resourceExhausted, message: `the message is larger than ${maxHealthBytes} bytes` };
  const request = await buffer(message.body);
  let service: string;
  try {
    service = serviceIn(request);
  } catch (error) {
    if (error instanceof CorruptDataError) return { code: grpcCodes.invalidArgument, message: error.message };
    throw error;
  }
  if (!hasService(service)) return { code: grpcCodes.notFound, message: `service '${service}' not found` };
  return { code: grpcCodes.ok, message: '', content: healthResponse(isServing()) };
}

/** Sends the message to a route as an HTTP request, with the compression of the message. */
async function passOn(
  { stream, headers, message, signal }: Call,
  path: string,
  { send, maxBodyBytes }: CallDependencies,
): Promise<CallResult> {
  const { compressed, length } = await message.prefix();
  // Before a request is made of it: a prefix costs a sender nothing.
  if (length > maxBodyBytes) {
    message.discard();
    const tooLarge = httpError('body-too-large', { limit: maxBodyBytes });
    return { code: grpcCodes.resourceExhausted, message: tooLarge.message };
  }
  const encoding = compressed ? textIn(headers['grpc-encoding']) : undefined;
  if (compressed && encoding === undefined)
    return { code: grpcCodes.internal, message: 'the message is compressed, but grpc-encoding is missing' };
  const response = await send({
    method: 'POST',
    path,
    headers: {
      ...selectHeaders(requestMetadata, headers),
      'content-type': protobufMediaType,
      'content-length': String(length),
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    },
    body: message.body,
    remoteAddress: stream.session?.socket.remoteAddress ?? '',
    signal,
  });
  // A rejected request is discarded; the response waits for its end.
  message.discard();
  const content = await response.content();
  const returned = selectHeaders(responseMetadata, response.headers);
  if (response.status === 200) return { code: grpcCodes.ok, message: '', content, headers: returned };
  return { ...statusOfResponse({ ...response, content }), headers: returned };
}

const textIn = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.[0];

const selectHeaders = (
  names: readonly string[],
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = textIn(headers[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );

function respond(stream: ServerHttp2Stream, { content, headers = {}, ...status }: CallResult): void {
  const common = {
    ':status': 200,
    'content-type': contentType,
    'grpc-accept-encoding': encodings,
    ...headers,
  };
  if (content === undefined) {
    stream.respond({ ...common, ...trailersOf(status) }, { endStream: true });
    // The client need not send the rest of its message.
    if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
    return;
  }
  stream.respond(common, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers(trailersOf(status)));
  stream.end(frameMessage(content));
}
