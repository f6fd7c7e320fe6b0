/** Bits of a text's address for its offset in a memory chunk. */
const pieceBits = 18;
/** Bytes of a chunk; only a longer name gets a larger one. */
const pieceBytes = 1 << pieceBits;
/** Initial size of the first chunk: most datasets have few names. */
const firstBytes = 1 << 10;

/** Bytes before a text: twice its length, plus 1 if it is wide. */
const headBytes = 3;

/**
 * Texts outside the heap, one after the other, each found by its address: there may be millions,
 * and garbage collection would visit each of them repeatedly. An ASCII text takes a byte per
 * character; any other is wide and takes two.
 */
export class NameTexts {
  readonly #pieces: Buffer[] = [Buffer.allocUnsafeSlow(firstBytes)];
  /** Where the next text begins in the last piece. */
  #end = 0;

  /** Stores a part of a text, of less than eight million characters; returns its address. */
  add(text: string, from = 0, end = text.length): number {
    const length = end - from;
    const piece = this.#pieceFor(headBytes + 2 * length);
    const head = this.#end;
    const place = (((this.#pieces.length - 1) << pieceBits) | head) >>> 0;
    const start = head + headBytes;
    let at = start;
    while (at < start + length) {
      const code = text.charCodeAt(from + at - start);
      if (code > 0x7f) break;
      piece[at++] = code;
    }
    const isWide = at < start + length;
    if (isWide) at = start + piece.write(text.slice(from, end), start, 'utf16le');
    piece.writeUIntLE(2 * length + Number(isWide), head, headBytes);
    this.#end = at;
    return place;
  }

  /** Whether the text at an address is this part of a text. */
  is(place: number, text: string, from = 0, end = text.length): boolean {
    const piece = this.#pieces[place >>> pieceBits]!;
    const start = (place & (pieceBytes - 1)) + headBytes;
    const head = headAt(piece, start);
    if (head >>> 1 !== end - from) return false;
    if ((head & 1) !== 0) return this.read(place) === text.slice(from, end);
    for (let i = from; i < end; i++) if (piece[start + i - from] !== text.charCodeAt(i)) return false;
    return true;
  }

  /** The text at an address. */
  read(place: number): string {
    const piece = this.#pieces[place >>> pieceBits]!;
    const start = (place & (pieceBytes - 1)) + headBytes;
    const head = headAt(piece, start);
    const length = head >>> 1;
    return (head & 1) === 0
      ? piece.toString('latin1', start, start + length)
      : piece.toString('utf16le', start, start + 2 * length);
  }

  /** The last chunk, with space for this many more bytes. */
  #pieceFor(bytes: number): Buffer {
    const last = this.#pieces.at(-1)!;
    const end = this.#end + bytes;
    // After a long name there may be space without an address.
    if (end <= last.length && this.#end < pieceBytes) return last;
    if (end > pieceBytes) {
      this.#end = 0;
      this.#pieces.push(Buffer.allocUnsafeSlow(Math.max(pieceBytes, bytes)));
    } else {
      const larger = Buffer.allocUnsafeSlow(Math.min(pieceBytes, Math.max(2 * last.length, end)));
      last.copy(larger, 0, 0, this.#end);
      this.#pieces[this.#pieces.length - 1] = larger;
    }
    return this.#pieces.at(-1)!;
  }
}

const headAt = (piece: Buffer, start: number): number =>
  piece[start - 3]! | (piece[start - 2]! << 8) | (piece[start - 1]! << 16);
