/**
 * Passes on the chunks of a response with backpressure; the reader may stall for at most
 * `milliseconds`. Counts only the time in which a chunk is ready to be read, not the time to
 * produce it.
 * @param stalled called when the reader has stalled for too long; must end the iteration
 */
export async function* pace(
  chunks: AsyncIterable<Uint8Array>,
  milliseconds: number,
  stalled: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    // The timer need not keep the process alive: without connections there is nothing to end.
    const late = setTimeout(stalled, milliseconds).unref();
    try {
      yield chunk;
    } finally {
      clearTimeout(late);
    }
  }
}
