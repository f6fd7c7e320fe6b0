import { prefixed, tag } from '../../otlp/testing/otlp-protobuf.js';

/** Writes messages of remote write. */

/** A series of a `prometheus.WriteRequest`. */
interface SentSeries {
  readonly labels: Readonly<Record<string, string>>;
  /** Milliseconds and values. */
  readonly samples: readonly (readonly [number, number])[];
  /** Other fields of the message. */
  readonly more?: Uint8Array;
}

const textField = (number: number, value: string): Buffer => prefixed(number, Buffer.from(value));

function varint(value: number | bigint): Buffer {
  const digits: number[] = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    digits.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    if (rest <= 0x7fn) return Buffer.from(digits);
  }
}

const varintField = (number: number, value: number | bigint): Buffer => Buffer.concat([tag(number, 0), varint(value)]);

function doubleField(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([tag(number, 1), bytes]);
}

/** A sample of both versions. */
const sampleMessage = ([time, value]: readonly [number, number]): Buffer =>
  Buffer.concat([doubleField(1, value), varintField(2, time)]);

/** A `prometheus.WriteRequest`. */
export const writeRequest = (all: readonly SentSeries[]): Buffer =>
  Buffer.concat(
    all.map(({ labels, samples, more = Buffer.alloc(0) }) =>
      prefixed(
        1,
        Buffer.concat([
          ...Object.entries(labels).map(([name, value]) =>
            prefixed(1, Buffer.concat([textField(1, name), textField(2, value)])),
          ),
          ...samples.map((sample) => prefixed(2, sampleMessage(sample))),
          more,
        ]),
      ),
    ),
  );
