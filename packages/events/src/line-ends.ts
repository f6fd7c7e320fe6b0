/** How many lines end between two positions, with LF, CR or CRLF. */
export function lineEnds(bytes: Uint8Array, from: number, to: number): number {
  let ends = 0;
  for (let at = from; at < to; at++) {
    if (bytes[at] === 0x0a || (bytes[at] === 0x0d && bytes[at + 1] !== 0x0a)) ends++;
  }
  return ends;
}
