/** Input of {@link pack}. Buffers become bytes, also if they contain text. */
export type Packable =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly Packable[]
  | { readonly [name: string]: Packable };

/** Encodes a value as MessagePack: for responses, not for events. */
export function pack(value: Packable): Buffer {
  if (value === null) return Buffer.from([0xc0]);
  if (typeof value === 'boolean') return Buffer.from([value ? 0xc3 : 0xc2]);
  if (typeof value === 'bigint')
    return eight(value < 0n ? 0xd3 : 0xcf, (bytes) => bytes.setBigUint64(1, BigInt.asUintN(64, value)));
  if (typeof value === 'number') {
    if (Number.isInteger(value) && value >= -32 && value < 128) return Buffer.from([value & 0xff]);
    if (Number.isSafeInteger(value)) return pack(BigInt(value));
    return eight(0xcb, (bytes) => bytes.setFloat64(1, value));
  }
  if (typeof value === 'string') return withLength(0xdb, Buffer.from(value));
  if (value instanceof Uint8Array) return withLength(0xc6, value);
  if (isList(value)) return Buffer.concat([packHead(0xdd, value.length), ...value.map(pack)]);
  const pairs = Object.entries(value);
  return Buffer.concat([packHead(0xdf, pairs.length), ...pairs.flatMap(([name, each]) => [pack(name), pack(each)])]);
}

const isList = (value: Packable): value is readonly Packable[] => Array.isArray(value);

function packHead(first: number, count: number): Buffer {
  const head = Buffer.alloc(5, first);
  head.writeUInt32BE(count, 1);
  return head;
}

const withLength = (first: number, bytes: Uint8Array): Buffer => Buffer.concat([packHead(first, bytes.length), bytes]);

function eight(first: number, write: (bytes: DataView) => void): Buffer {
  const bytes = Buffer.alloc(9, first);
  write(new DataView(bytes.buffer, bytes.byteOffset));
  return bytes;
}
