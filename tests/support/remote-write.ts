/** Bodies of remote write of Prometheus, for tests that run without the packages' sources. */

type Bytes = Uint8Array<ArrayBuffer>;

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}

/** A field of Protocol Buffers with bytes. */
export const field = (number: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([(number << 3) | 2]), varint(content.length), content]);

export const label = (name: string, value: string): Buffer =>
  field(1, Buffer.concat([field(1, Buffer.from(name)), field(2, Buffer.from(value))]));

/** A sample at a time in milliseconds since the epoch. */
export function sample(time: number, value = 0): Buffer {
  const double = Buffer.alloc(9);
  double[0] = 0x09;
  double.writeDoubleLE(value, 1);
  return field(2, Buffer.concat([value === 0 ? Buffer.alloc(0) : double, Buffer.from([0x10]), varint(time)]));
}

/** A series of a metric. */
export const series = (metric: string, parts: readonly Uint8Array[]): Buffer =>
  field(1, Buffer.concat([label('__name__', metric), ...parts]));

/** A block of Snappy with everything as literals. */
export function block(content: Uint8Array): Bytes {
  const parts: Uint8Array[] = [varint(content.length)];
  for (let at = 0; at < content.length; at += 65_536) {
    const part = content.subarray(at, at + 65_536);
    parts.push(Buffer.from([61 << 2, (part.length - 1) & 255, (part.length - 1) >> 8]), part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

export const remoteWriteHeaders: Readonly<Record<string, string>> = {
  'content-type': 'application/x-protobuf',
  'content-encoding': 'snappy',
  'x-prometheus-remote-write-version': '0.1.0',
};
