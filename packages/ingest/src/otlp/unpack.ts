import { type EncodeLimits, type Failure, MAX_BODY_BYTES } from '@millrace/events';
import { customAttributes } from '@millrace/metadata/datasets/custom-attributes';
import { HttpError, httpError } from '@millrace/api/errors';
import { type Instant, instantOf } from './instant.js';
import { JsonBytes } from '../bytes/json-bytes.js';
import { JsonReader } from './json.js';
import { otlpFormatOf } from './media-types.js';
import { envelopes, LogRecord, Span } from './messages.js';
import { CorruptDataError } from '../bytes/corrupt-data-error.js';
import { MalformedMessageError, type OtlpReader } from './reader.js';
import { ProtobufReader } from './protobuf.js';
import { type RecordLimits, RecordWriter } from './record-writer.js';
import { type EventSignal, type Signal, signals } from './signal.js';

export interface UnpackOptions {
  readonly signal: EventSignal;
  readonly contentType: string;
  /** Nanoseconds since the epoch: the time of records that have none. */
  readonly arrivalTime: bigint;
  readonly limits: EncodeLimits;
  readonly mapFields: ReadonlySet<string>;
  /**
   * Maximum bytes of all events together. Each event repeats the attributes of its resource and
   * scope.
   */
  readonly maxEventBytes: number;
  /** Called before the events take this many bytes. */
  readonly growing?: ((bytes: number) => void) | undefined;
}

interface UnpackResult {
  /** The records as events, one JSON object per line. */
  readonly lines: Uint8Array;
  /**
   * The first records that cannot be converted, with their positions: `resource 0, scope 1, span
   * 2`.
   */
  readonly failures: readonly Failure[];
  readonly failed: number;
}

/**
 * Converts the records of an OTLP request to events. Invalid records fail individually.
 * @throws HttpError when the request as a whole is invalid
 */
export function unpackOtlp(body: Uint8Array, options: UnpackOptions): UnpackResult {
  const { signal, contentType, limits, maxEventBytes, growing } = options;
  const limit = Math.min(maxEventBytes, MAX_BODY_BYTES);
  const format = otlpFormatOf(contentType);
  return convertOrRefuse(signal, limit, (written) => {
    const lines = written(expectedGrowth[format] * body.byteLength, limit, growing);
    const pieces = written(0, piecesGrowth * limit);
    const unpacking = new Unpacker(options, { lines, pieces, common: written(0, limit) });
    if (format === 'protobuf') unpacking.read(new ProtobufReader(body, limits, pieces));
    else unpacking.read(new JsonReader(body, limits, pieces));
    return unpacking.finish();
  });
}

/** Creates memory for JSON; more than `max` bytes reject the request. */
type NewBytes = (expected: number, max: number, growing?: (bytes: number) => void) => JsonBytes;

/**
 * Runs the conversion of a request.
 * @throws HttpError for a malformed request, and above the limit
 */
export function convertOrRefuse<T>(
  signal: Signal,
  limit: number,
  convert: (written: NewBytes, tooMany: () => Error) => T,
): T {
  const tooLarge = { limit, what: signals[signal].records };
  const tooMany = (): Error => httpError('events-too-large', tooLarge);
  try {
    return convert((expected, max, growing) => new JsonBytes(expected, max, tooMany, growing), tooMany);
  } catch (error) {
    if (error instanceof HttpError) throw error;
    if (error instanceof MalformedMessageError || error instanceof CorruptDataError) {
      const problem = `the body is not a valid ${envelopes[signal].request.name}: ${error.message}`;
      throw httpError('invalid-request', { problem }, { cause: error });
    }
    if (isTooLong(error)) throw httpError('events-too-large', tooLarge, { cause: error });
    throw error;
  }
}

/**
 * Whether a string would have been longer than V8 allows, either joined or read from bytes: its
 * events would exceed the limit too.
 */
const isTooLong = (error: unknown): boolean =>
  (error instanceof RangeError && error.message === 'Invalid string length') ||
  (error instanceof Error && 'code' in error && error.code === 'ERR_STRING_TOO_LONG');

/**
 * Typical growth from request to events. An overestimate is cheap: untouched memory costs nothing.
 */
const expectedGrowth = { protobuf: 3, json: 1.5 } as const;

/**
 * Pieces can be larger than the event: an object temporarily exists next to the values it is made
 * of, and repeated values are not in the event.
 */
export const piecesGrowth = 4;

interface OutputBuffers {
  /** The events. */
  readonly lines: JsonBytes;
  /** Strings of the current message. */
  readonly pieces: JsonBytes;
  /** Properties that all records of a resource and scope share. */
  readonly common: JsonBytes;
}

/** The state of a request while its records become lines. */
class Unpacker {
  readonly #options: UnpackOptions;
  readonly #arrival: Instant;
  readonly #buffers: OutputBuffers;
  readonly #records: RecordWriter;
  readonly #common: RecordWriter;
  readonly #failures: Failure[] = [];
  #failedCount = 0;
  #count = 0;

  constructor(options: UnpackOptions, written: OutputBuffers) {
    this.#options = options;
    this.#arrival = instantOf(options.arrivalTime);
    this.#buffers = written;
    const { maxValueBytes } = options.limits;
    const limits: RecordLimits = {
      maxListBytes: maxValueBytes,
      maxCustomBytes: options.mapFields.has(customAttributes) ? maxValueBytes : Infinity,
    };
    this.#records = new RecordWriter(written.lines, written.pieces, limits);
    this.#common = new RecordWriter(written.common, written.pieces, limits);
  }

  read<S>(reader: OtlpReader<S>): void {
    const { signal } = this.#options;
    const { common, pieces } = this.#buffers;
    const envelope = envelopes[signal];
    const { resources } = reader.read(envelope.request, reader.root);
    for (const [r, at] of numberPlaces(resources)) {
      pieces.cutTo(0);
      const resource = withPlace(`resource ${r}`, () => reader.read(envelope.resource, at));
      common.cutTo(0);
      this.#common.resource(resource);
      const ofResource = Buffer.from(common.writtenBytes());
      for (const [s, at] of numberPlaces(resource.scopes)) {
        pieces.cutTo(0);
        const scope = withPlace(`resource ${r}, scope ${s}`, () => reader.read(envelope.scope, at));
        common.cutTo(0);
        this.#common.scope(scope);
        let joined = false;
        // Joined at the first record, so that a scope without records costs nothing.
        const ofAll = (): Buffer => {
          if (joined) return common.writtenBytes();
          joined = true;
          common.bytes(ofResource);
          common.ascii('}\n');
          return common.writtenBytes();
        };
        for (const [index, at] of numberPlaces(scope.records))
          this.#record(reader, at, ofAll, () => `resource ${r}, scope ${s}, ${signals[signal].record} ${index}`);
      }
    }
  }

  finish(): UnpackResult {
    return { lines: this.#buffers.lines.writtenBytes(), failures: this.#failures, failed: this.#failedCount };
  }

  /** Writes a record as an event, if it can be one. */
  #record<S>(reader: OtlpReader<S>, at: S, ofAll: () => Buffer, place: () => string): void {
    const { lines, pieces } = this.#buffers;
    const start = lines.length;
    pieces.cutTo(0);
    try {
      if (this.#options.signal === 'traces') this.#records.span(reader.read(Span, at), this.#arrival);
      else this.#records.logRecord(reader.read(LogRecord, at), this.#arrival);
      lines.bytes(ofAll());
    } catch (error) {
      if (error instanceof CorruptDataError)
        throw new CorruptDataError(`${place()}: ${error.message}`, { cause: error });
      if (!(error instanceof MalformedMessageError)) throw error;
      lines.cutTo(start);
      this.#reject(`${place()}: ${error.message}`);
    }
    lines.check();
    this.#count++;
  }

  #reject(error: string): void {
    const { limits, arrivalTime } = this.#options;
    if (this.#failedCount++ < limits.maxFailuresReported)
      this.#failures.push({ index: this.#count, offset: 0, time: arrivalTime, error });
  }
}

/** Numbers the elements of an iterable from 0. */
export function* numberPlaces<S>(places: Iterable<S>): Generator<readonly [index: number, at: S]> {
  let index = 0;
  for (const at of places) yield [index++, at];
}

/** Parses a resource or scope. A failure there fails the request; its text gets the position. */
export function withPlace<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CorruptDataError) throw new CorruptDataError(`${place}: ${error.message}`, { cause: error });
    if (error instanceof MalformedMessageError)
      throw new MalformedMessageError(`${place}: ${error.message}`, { cause: error });
    throw error;
  }
}
