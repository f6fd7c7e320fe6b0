/**
 * Passes on the chunks of an answer at the pace of its reader, who may stall for at most
 * `milliseconds`. Only time in which a chunk waits to be taken counts: it is not the reader's fault
 * when the next one takes long to make.
 * @param stalled called when the reader has stalled for too long; has to end the iteration
 */
export async function* paced(
  chunks: AsyncIterable<Uint8Array>,
  milliseconds: number,
  stalled: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    // A reader that has stalled keeps no process alive: the timer ends what the connection holds,
    // and without connections there is nothing to end.
    const late = setTimeout(stalled, milliseconds).unref();
    try {
      yield chunk;
    } finally {
      clearTimeout(late);
    }
  }
}
