/**
 * The chunks of an answer at the pace of its reader, who may stop for so long and no longer. Only the time is counted in which a chunk is there and is
 * not asked for: that the next one takes long to make is not the reader's doing.
 * @param stalled called when the reader has stopped; has to end the iteration
 */
export async function* paced(
  chunks: AsyncIterable<Uint8Array>,
  milliseconds: number,
  stalled: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const late = setTimeout(stalled, milliseconds);
    try {
      yield chunk;
    } finally {
      clearTimeout(late);
    }
  }
}
