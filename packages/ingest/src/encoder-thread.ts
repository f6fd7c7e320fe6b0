import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import {
  type BatchFieldStats,
  type ColumnPlacement,
  serializeBlock,
  setCoreModule,
  DictionaryHints,
} from '@millrace/events';
import { lowerThreadPriority } from '@millrace/runtime/async/thread-priority';
import { HttpError } from '@millrace/api/errors';
import { freeMemory } from '@millrace/runtime/memory/free-memory';
import { LruCache } from '@millrace/runtime/memory/lru-cache';
import { encodeBody } from './encode-body.js';
import type { EncodeRequest, EncoderReply, EncoderStart } from './encoder-messages.js';
import { encodeFieldStats } from './field-stats-codec.js';

/**
 * The code of an encoder thread, which encodes one body after another. An unexpected error ends the
 * thread, and `encoders.ts` starts another one.
 */

const { core, decisions, wakeSignal } = workerData as EncoderStart;
setCoreModule(core);
lowerThreadPriority();
const signal = new Int32Array(wakeSignal);
const main = parentPort!;

const reply = (message: EncoderReply, transfer: readonly ArrayBuffer[] = []): void =>
  main.postMessage(message, transfer);

/**
 * Columns belong to the dataset, not to a batch: the main thread decides about them, in the order
 * in which the batches ask.
 */
const placement: ColumnPlacement = {
  place(batch: BatchFieldStats): ReturnType<ColumnPlacement['place']> {
    Atomics.store(signal, 0, 0);
    reply({ kind: 'place', batch: encodeFieldStats(batch) });
    Atomics.wait(signal, 0, 0);
    return receiveMessageOnPort(decisions)!.message as ReturnType<ColumnPlacement['place']>;
  },
};

/** Bodies up to this size are encoded without waiting for others. */
const largeBytes = 32 * 2 ** 20;
let hasRequestedMemory = false;

/** Waits for a memory reservation for a large body, or shrinks it to the actual size. */
function expandBuffer(bytes: number): void {
  if (bytes <= largeBytes && !hasRequestedMemory) return;
  hasRequestedMemory = true;
  Atomics.store(signal, 0, 0);
  reply({ kind: 'expanded', bytes });
  Atomics.wait(signal, 0, 0);
}

/** Number of datasets whose text statistics a thread caches (LRU). */
const maxDatasets = 32;
const hintsByDataset = new LruCache<number, DictionaryHints>(maxDatasets);

function hintsOf(dataset: number): DictionaryHints {
  const hints = hintsByDataset.get(dataset) ?? new DictionaryHints();
  hintsByDataset.set(dataset, hints);
  return hints;
}

main.on('message', ({ body, options }: EncodeRequest) => {
  hasRequestedMemory = false;
  try {
    const { encoded, bodyBytes } = encodeBody(body, options, placement, {
      habits: hintsOf(options.dataset),
      expanded: expandBuffer,
    });
    const { block: columns, uses: _uses, placed: _placed, ...rest } = encoded;
    // A single buffer: it is transferred without a copy and written to the log unchanged.
    const block = serializeBlock(columns);
    reply({ kind: 'encoded', block, rest, bodyBytes }, [block.buffer as ArrayBuffer]);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    reply({ kind: 'refused', code: error.code, message: error.message });
  } finally {
    freeMemory(body.buffer);
  }
});
