/**
 * Encodes the protobuf field types that responses need. A message is the concatenation of its
 * fields.
 */

const varint = 0;
const lengthPrefixed = 2;

/** A number from 0 on. */
export const numberField = (number: number, value: number): Uint8Array =>
  Uint8Array.from([...varintOf(number * 8 + varint), ...varintOf(value)]);

/** A string, or a message given by its fields. */
export function bytesField(number: number, value: string | readonly Uint8Array[]): Uint8Array {
  const bytes = typeof value === 'string' ? Buffer.from(value) : Buffer.concat(value);
  return Buffer.concat([Uint8Array.from([...varintOf(number * 8 + lengthPrefixed), ...varintOf(bytes.length)]), bytes]);
}

/** Seven bits a byte, the lowest first; all but the last byte have the eighth set. */
function varintOf(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return [...bytes, rest];
}
