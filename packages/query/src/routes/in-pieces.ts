import { runYielding, Yielder } from '@millrace/runtime/async/yield';

/** The pieces of a response, written in steps that let others run. */
export const inPieces = (chunks: Generator<Uint8Array>): Promise<readonly Uint8Array[]> =>
  runYielding(
    (function* () {
      const pieces: Uint8Array[] = [];
      for (const chunk of chunks) {
        pieces.push(chunk);
        yield;
      }
      return pieces;
    })(),
    new Yielder(),
  );
