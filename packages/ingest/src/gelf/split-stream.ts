/** Ends a message in a stream. */
const end = 0;

/**
 * Splits a stream into messages. Of a longer message than allowed, yields the beginning, one byte
 * too long, so that it is counted as failed, and drops the rest. The last message needs no end.
 * @param holds is called with the bytes of the incomplete message
 */
export async function* messagesIn(
  portions: AsyncIterable<Buffer>,
  max: number,
  holds: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  const message = (): Buffer => {
    const whole = Buffer.concat(parts, Math.min(length, max + 1));
    parts = [];
    length = 0;
    return whole;
  };
  const push = (bytes: Buffer): void => {
    // A copy, because a portion shares its memory with others.
    if (bytes.length > 0 && length <= max) parts.push(Buffer.from(bytes));
    length += bytes.length;
  };
  try {
    for await (const portion of portions) {
      let start = 0;
      for (let at = portion.indexOf(end); at >= 0; at = portion.indexOf(end, start)) {
        push(portion.subarray(start, at));
        start = at + 1;
        if (length > 0) yield message();
      }
      push(portion.subarray(start));
      holds(Math.min(length, max));
    }
  } finally {
    // Also if the connection breaks: its last bytes are counted.
    if (length > 0) yield message();
  }
}
