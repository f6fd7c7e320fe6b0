/**
 * Hashes of texts. They are seeded with a number that differs between processes, so that few
 * collisions can be crafted in advance. Some still can, so lookups by these hashes stop after a
 * number of steps.
 */
let seed: u64 = 0;

export function setSeed(value: u64): void {
  seed = value;
}

/** How many bytes count at the start and at the end of a long text. */
const SAMPLE: usize = 48;

function mix(hash: u64, word: u64): u64 {
  const mixed = (hash ^ word) * 0x9e3779b97f4a7c15;
  return mixed ^ (mixed >> 29);
}

/** Continues a hash with every byte of a range. */
function mixRange(from: usize, end: usize, start: u64): u64 {
  let hash = start;
  let i = from;
  for (; i + 8 <= end; i += 8) hash = mix(hash, load<u64>(i));
  if (i < end) hash = mix(hash, load<u64>(i) & (((<u64>1) << ((end - i) << 3)) - 1));
  return hash;
}

function finished(hash: u64): u32 {
  return <u32>((hash * 0xff51afd7ed558ccd) >> 32);
}

/** A hash of all bytes; a different `salt` gives a different hash. */
export function hashAll(at: usize, length: usize, salt: u64): u32 {
  return finished(mixRange(at, at + length, seed ^ (salt << 32) ^ length));
}

/**
 * A hash of the text; for a long one only its two ends, every fourth word in between and its length
 * count.
 */
export function hashText(at: usize, length: usize): u32 {
  if (length <= 2 * SAMPLE) return hashAll(at, length, 0);
  const end = at + length;
  let hash = mixRange(at, at + SAMPLE, seed ^ length);
  for (let i = at + SAMPLE; i < end - SAMPLE; i += 32) hash = mix(hash, load<u64>(i));
  return finished(mixRange(end - SAMPLE, end, hash));
}
