/**
 * `cityHash64` of the engine (CityHash 1.0.2) for short texts, limited to the part needed to find
 * terms that the engine has hashed.
 */

const mask = (1n << 64n) - 1n;
const [k0, k1, k2, k3] = [0xc3a5c85c97cb3127n, 0xb492b66fbe98f273n, 0x9ae16a3b2f90404fn, 0xc949d7c7509e6557n];
const k128 = 0x9ddfea08eb382d69n;

/** Longer texts are not hashed here. */
export const longestHashed = 64;

const rotate = (x: bigint, by: bigint): bigint => ((x >> by) | (x << (64n - by))) & mask;
const mix = (x: bigint): bigint => x ^ (x >> 47n);

function joinHalves(low: bigint, high: bigint): bigint {
  const a = mix(((low ^ high) * k128) & mask);
  return (mix(((high ^ a) * k128) & mask) * k128) & mask;
}

/** @param bytes at most `longestHashed` */
export function cityHash64(bytes: Uint8Array): bigint {
  const length = bytes.byteLength;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  const at = (offset: number): bigint => view.getBigUint64(offset, true);
  const n = BigInt(length);
  if (length === 0) return k2;
  if (length < 4) {
    const y = BigInt(bytes[0]! + (bytes[length >> 1]! << 8));
    const z = n + (BigInt(bytes[length - 1]!) << 2n);
    return (mix(((y * k2) ^ (z * k3)) & mask) * k2) & mask;
  }
  if (length <= 8) {
    const first = BigInt(view.getUint32(0, true));
    return joinHalves((n + (first << 3n)) & mask, BigInt(view.getUint32(length - 4, true)));
  }
  if (length <= 16) {
    const [a, b] = [at(0), at(length - 8)];
    return joinHalves(a, rotate((b + n) & mask, n)) ^ b;
  }
  if (length <= 32) {
    const [a, b, c, d] = [(at(0) * k1) & mask, at(8), (at(length - 8) * k2) & mask, at(length - 16) * k0];
    const low = (rotate((a - b) & mask, 43n) + rotate(c, 30n) + d) & mask;
    return joinHalves(low, (a + rotate(b ^ k3, 20n) - c + n) & mask);
  }
  const [v, vHigh] = half(at, 0, 24, at(0) + (n + at(length - 16)) * k0);
  const [w, wHigh] = half(at, length - 32, length - 8, at(16) + at(length - 32));
  const r = mix(((v + wHigh) * k2 + (w + vHigh) * k0) & mask);
  return (mix((r * k0 + vHigh) & mask) * k2) & mask;
}

/** Half of the hash of a text of more than 32 bytes. */
function half(at: (offset: number) => bigint, from: number, last: number, start: bigint): readonly [bigint, bigint] {
  const z = at(last);
  const first = start & mask;
  const second = (first + at(from + 8)) & mask;
  const third = (second + at(from + 16)) & mask;
  const b = rotate((first + z) & mask, 52n);
  const c = (rotate(first, 37n) + rotate(second, 7n)) & mask;
  return [(third + z) & mask, (b + rotate(third, 31n) + c) & mask];
}
