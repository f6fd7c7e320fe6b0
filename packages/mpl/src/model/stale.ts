/** The NaN with which Prometheus ends a series; other NaNs are values. */
export const staleBits = 0x7ff0_0000_0000_0002n;

const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
const staleHigh = Number(staleBits >> 32n);
const staleLow = Number(staleBits & 0xffff_ffffn);

/**
 * Marks the values that end a series. Numbers of JavaScript may lose the bits of a NaN, so it reads
 * those of the array.
 * @returns 1 where a series ends; undefined if it never does
 */
export function endsOf(values: Float64Array): Uint8Array | undefined {
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  const [low, high] = isLittleEndian ? [0, 1] : [1, 0];
  let ends: Uint8Array | undefined;
  for (let i = 0; i < values.length; i++) {
    if (words[2 * i + high] !== staleHigh || words[2 * i + low] !== staleLow) continue;
    ends ??= new Uint8Array(values.length);
    ends[i] = 1;
  }
  return ends;
}
