import { lengthDelimitedField, tag } from '../../otlp/testing/otlp-protobuf.js';

/** Writes messages of remote write. */

export type SentValue = number | 'end';

/** A series of a `prometheus.WriteRequest`. */
export interface SentSeries {
  readonly labels: Readonly<Record<string, string>>;
  /** Milliseconds and values; `end` is the staleness marker. */
  readonly samples: readonly (readonly [number, SentValue])[];
  /** Other fields of the message. */
  readonly more?: Uint8Array;
}

const textField = (number: number, value: string): Buffer => lengthDelimitedField(number, Buffer.from(value));

function varint(value: number | bigint): Buffer {
  const digits: number[] = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    digits.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    if (rest <= 0x7fn) return Buffer.from(digits);
  }
}

const varintField = (number: number, value: number | bigint): Buffer => Buffer.concat([tag(number, 0), varint(value)]);

function doubleField(number: number, value: SentValue): Buffer {
  const bytes = Buffer.alloc(8);
  if (value === 'end') bytes.writeBigUInt64LE(0x7ff0_0000_0000_0002n);
  else bytes.writeDoubleLE(value);
  return Buffer.concat([tag(number, 1), bytes]);
}

/** A sample of both versions. */
const sampleMessage = ([time, value]: readonly [number, SentValue]): Buffer =>
  Buffer.concat([doubleField(1, value), varintField(2, time)]);

/** A `prometheus.WriteRequest`. */
export const writeRequest = (all: readonly SentSeries[]): Buffer =>
  Buffer.concat(
    all.map(({ labels, samples, more = Buffer.alloc(0) }) =>
      lengthDelimitedField(
        1,
        Buffer.concat([
          ...Object.entries(labels).map(([name, value]) =>
            lengthDelimitedField(1, Buffer.concat([textField(1, name), textField(2, value)])),
          ),
          ...samples.map((sample) => lengthDelimitedField(2, sampleMessage(sample))),
          more,
        ]),
      ),
    ),
  );

/** A series of an `io.prometheus.write.v2.Request`. */
interface SentSeries2 extends SentSeries {
  readonly type?: number;
  readonly unit?: string;
}

/** An `io.prometheus.write.v2.Request`. */
export function writeRequest2(all: readonly SentSeries2[]): Buffer {
  const symbols = [''];
  const reference = (text: string): number => {
    const at = symbols.indexOf(text);
    return at < 0 ? symbols.push(text) - 1 : at;
  };
  const series = all.map(({ labels, samples, more = Buffer.alloc(0), type = 0, unit = '' }) => {
    const references = Object.entries(labels).flatMap(([name, value]) => [reference(name), reference(value)]);
    return lengthDelimitedField(
      5,
      Buffer.concat([
        lengthDelimitedField(1, Buffer.concat(references.map(varint))),
        ...samples.map((sample) => lengthDelimitedField(2, sampleMessage(sample))),
        more,
        lengthDelimitedField(5, Buffer.concat([varintField(1, type), varintField(4, reference(unit))])),
        varintField(6, 1),
      ]),
    );
  });
  return Buffer.concat([...symbols.map((text) => textField(4, text)), ...series]);
}

interface SentBuckets {
  /** Offset and counts of each run of buckets. */
  readonly spans: readonly (readonly [number, readonly number[]])[];
}

interface SentHistogram {
  readonly time: number;
  readonly count: number;
  readonly sum: number;
  readonly schema: number;
  readonly zeroCount?: number;
  readonly positive?: SentBuckets;
  readonly negative?: SentBuckets;
  readonly bounds?: readonly number[];
  /** Counts are sent as floats, not as differences of integers. */
  readonly isFloat?: boolean;
}

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

/** A native histogram of both versions. */
export function histogramMessage(sent: SentHistogram): Buffer {
  const { time, count, sum, schema, zeroCount = 0, positive, negative, bounds = [], isFloat = false } = sent;
  const side = ({ spans }: SentBuckets, first: number): readonly Buffer[] => {
    const counts = spans.flatMap(([, counts]) => counts);
    const deltas = counts.map((each, i) => zigzag(each - (counts[i - 1] ?? 0)));
    return [
      ...spans.map(([offset, { length }]) =>
        lengthDelimitedField(first, Buffer.concat([varintField(1, zigzag(offset)), varintField(2, length)])),
      ),
      isFloat
        ? lengthDelimitedField(first + 2, Buffer.concat(counts.map((each) => doubleField(1, each).subarray(1))))
        : lengthDelimitedField(first + 1, Buffer.concat(deltas.map(varint))),
    ];
  };
  return Buffer.concat([
    isFloat ? doubleField(2, count) : varintField(1, count),
    doubleField(3, sum),
    varintField(4, zigzag(schema)),
    doubleField(5, 0.001),
    isFloat ? doubleField(7, zeroCount) : varintField(6, zeroCount),
    ...(negative === undefined ? [] : side(negative, 8)),
    ...(positive === undefined ? [] : side(positive, 11)),
    varintField(15, time),
    ...bounds.map((bound) => doubleField(16, bound)),
  ]);
}
