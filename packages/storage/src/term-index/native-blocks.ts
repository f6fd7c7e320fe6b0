/** Parses a result in the engine's format `Native`, of numbers: columns as they are in memory. */

interface Block {
  readonly rows: number;
  /** The values of each column, little-endian. */
  readonly columns: readonly Uint8Array[];
}

/**
 * The blocks of a result.
 * @param widths the bytes of a value of each column
 */
export function* blocksIn(body: Uint8Array, widths: readonly number[]): Generator<Block> {
  let at = 0;
  const take = (bytes: number): Uint8Array => body.subarray(at, (at += bytes));
  /** Seven bits a byte, the lowest first. */
  const integer = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = body[at++]!;
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < body.length) {
    const count = integer();
    if (count !== widths.length) throw new Error(`${widths.length} columns were asked for, ${count} came`);
    const rows = integer();
    const columns = widths.map((width) => {
      // Its name and its type.
      take(integer());
      take(integer());
      return take(width * rows);
    });
    yield { rows, columns };
  }
}
