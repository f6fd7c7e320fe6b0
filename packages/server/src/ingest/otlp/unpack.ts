import { type EncodeLimits, type Failure, MAX_BODY_BYTES } from '@millrace/events';
import { HttpError, httpError } from '../../errors.js';
import { AttributeMembers } from './attributes.js';
import { EventLines } from './event-lines.js';
import { JsonReader } from './json.js';
import { otlpFormatOf } from './media-types.js';
import { DamagedError, envelopes, LogRecord, MisshapenError, type OtlpReader, Span } from './messages.js';
import { ProtobufReader } from './protobuf.js';
import { logRecordText, resourceText, scopeText, spanText } from './record-text.js';
import { type Signal, signals } from './signal.js';

export interface UnpackOptions {
  readonly signal: Signal;
  readonly contentType: string;
  /** Nanoseconds since the epoch: the time of records that bring none. */
  readonly arrivalTime: bigint;
  readonly limits: EncodeLimits;
  /** Most bytes the events may take, each with what is sent once for all of its resource and scope. */
  readonly maxEventBytes: number;
}

export interface Unpacked {
  /** The records as events, an object of JSON a line. */
  readonly lines: Uint8Array;
  /** The first records that are none, with their places: `resource 0, scope 1, span 2`. */
  readonly failures: readonly Failure[];
  readonly failed: number;
}

/**
 * An OTLP request → the events its records are. A record that cannot be one fails alone.
 * @throws HttpError when the request as a whole is wrong
 */
export function unpackOtlp(body: Uint8Array, options: UnpackOptions): Unpacked {
  const { signal, contentType, limits, maxEventBytes } = options;
  const { records } = signals[signal];
  const limit = Math.min(maxEventBytes, MAX_BODY_BYTES);
  const format = otlpFormatOf(contentType);
  try {
    const expected = expectedGrowth[format] * body.byteLength;
    const unpacking = new Unpacking(options, new EventLines(expected, limit, records));
    if (format === 'protobuf') unpacking.read(new ProtobufReader(body, limits));
    else unpacking.read(new JsonReader(body, limits));
    return unpacking.finish();
  } catch (error) {
    if (error instanceof HttpError) throw error;
    if (error instanceof MisshapenError || error instanceof DamagedError) {
      const problem = `the body is not a valid ${envelopes[signal].request.name}: ${error.message}`;
      throw httpError('invalid-request', { problem }, { cause: error });
    }
    if (isTooLong(error)) throw httpError('events-too-large', { limit, what: records }, { cause: error });
    throw error;
  }
}

/** Of a text longer than there can be, put together or read from bytes: its events would not fit into the limit either. */
const isTooLong = (error: unknown): boolean =>
  (error instanceof RangeError && error.message === 'Invalid string length') ||
  (error instanceof Error && 'code' in error && error.code === 'ERR_STRING_TOO_LONG');

/** What usual requests grow by; memory that nothing is written to costs nothing. */
const expectedGrowth = { protobuf: 3, json: 1.5 } as const;

/** A request while its records become lines. */
class Unpacking {
  readonly #options: UnpackOptions;
  readonly #lines: EventLines;
  readonly #attributes = new AttributeMembers();
  readonly #failures: Failure[] = [];
  #failed = 0;
  #records = 0;

  constructor(options: UnpackOptions, lines: EventLines) {
    this.#options = options;
    this.#lines = lines;
  }

  read<S>(reader: OtlpReader<S>): void {
    const { signal } = this.#options;
    const envelope = envelopes[signal];
    const { resources } = reader.read(envelope.request, reader.root);
    checkSignal(envelope.request.fields.resources.json, reader.members);
    for (const [r, at] of resources.entries()) {
      const resource = within(`resource ${r}`, () => reader.read(envelope.resource, at));
      const ofResource = resourceText(resource, this.#attributes);
      for (const [s, at] of resource.scopes.entries()) {
        const scope = within(`resource ${r}, scope ${s}`, () => reader.read(envelope.scope, at));
        const ofAll = flat(`${scopeText(scope, this.#attributes)}${ofResource}}\n`);
        for (const [index, at] of scope.records.entries()) {
          const text = this.#record(reader, at, () => `resource ${r}, scope ${s}, ${signals[signal].record} ${index}`);
          if (text !== undefined) this.#lines.add(`{${text}${ofAll}`);
          this.#records++;
        }
      }
    }
  }

  finish(): Unpacked {
    return { lines: this.#lines.finish(), failures: this.#failures, failed: this.#failed };
  }

  /** The members of a record; undefined for one that fails. */
  #record<S>(reader: OtlpReader<S>, at: S, place: () => string): string | undefined {
    const { signal, arrivalTime } = this.#options;
    try {
      return signal === 'traces'
        ? spanText(reader.read(Span, at), arrivalTime, this.#attributes)
        : logRecordText(reader.read(LogRecord, at), arrivalTime, this.#attributes);
    } catch (error) {
      if (error instanceof DamagedError) throw new DamagedError(`${place()}: ${error.message}`, { cause: error });
      if (!(error instanceof MisshapenError)) throw error;
      this.#reject(`${place()}: ${error.message}`);
      return undefined;
    }
  }

  #reject(error: string): void {
    const { limits, arrivalTime } = this.#options;
    if (this.#failed++ < limits.maxFailures)
      this.#failures.push({ index: this.#records, offset: 0, time: arrivalTime, error });
  }
}

/** Members nobody knows are passed over, but a request that holds another signal, or its own under another name, would be lost. */
function checkSignal(expected: string, members: readonly string[]): void {
  const foreign = members.includes(expected) ? undefined : members.find((name) => name.startsWith('resource'));
  if (foreign !== undefined)
    throw new MisshapenError(
      `expected ${expected}, found ${foreign}; traces and logs have each their own path and names`,
    );
}

/** Reads what stands around the records; a failure there is one of the request, and says where. */
function within<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedError) throw new DamagedError(`${place}: ${error.message}`, { cause: error });
    if (error instanceof MisshapenError) throw new MisshapenError(`${place}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** A text in one piece: one that was put together would be put together again wherever it is used. */
const flat = (text: string): string => Buffer.from(text).toString();
