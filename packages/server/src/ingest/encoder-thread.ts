import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type BatchUses, type Placement, serializeBlock, setCoreModule, TextHabits } from '@millrace/events';
import { giveWay } from '../async/give-way.js';
import { HttpError } from '../errors.js';
import { freeMemory } from '../memory/free-memory.js';
import { Recent } from '../memory/recent.js';
import { encodeBody } from './encode-body.js';
import type { EncodeRequest, EncoderReply, EncoderStart } from './encoder-messages.js';
import { packUses } from './packed-uses.js';

/**
 * The code of an encoder thread, which encodes one body after another. An unexpected error ends the
 * thread, and `encoders.ts` starts another one.
 */

const { core, decisions, decided } = workerData as EncoderStart;
setCoreModule(core);
giveWay();
const signal = new Int32Array(decided);
const main = parentPort!;

const reply = (message: EncoderReply, transfer: readonly ArrayBuffer[] = []): void =>
  main.postMessage(message, transfer);

/**
 * Columns belong to the dataset, not to a batch: the main thread decides about them, in the order
 * in which the batches ask.
 */
const placement: Placement = {
  place(batch: BatchUses): ReturnType<Placement['place']> {
    Atomics.store(signal, 0, 0);
    reply({ kind: 'place', batch: packUses(batch) });
    Atomics.wait(signal, 0, 0);
    return receiveMessageOnPort(decisions)!.message as ReturnType<Placement['place']>;
  },
};

/** Bodies up to this size are encoded whatever else is. */
const largeBytes = 32 * 2 ** 20;
/** Whether the body has asked for room. */
let hasRoom = false;

/** Waits for room for a large body, or says that it turned out to be smaller. */
function expanded(bytes: number): void {
  if (bytes <= largeBytes && !hasRoom) return;
  hasRoom = true;
  Atomics.store(signal, 0, 0);
  reply({ kind: 'expanded', bytes });
  Atomics.wait(signal, 0, 0);
}

/**
 * Number of datasets whose text habits a thread remembers; the least recently used is forgotten
 * first.
 */
const mostDatasets = 32;
const known = new Recent<number, TextHabits>(mostDatasets);

function habitsOf(dataset: number): TextHabits {
  const habits = known.get(dataset) ?? new TextHabits();
  known.set(dataset, habits);
  return habits;
}

main.on('message', ({ body, options }: EncodeRequest) => {
  hasRoom = false;
  try {
    const { encoded, bodyBytes } = encodeBody(body, options, placement, {
      habits: habitsOf(options.dataset),
      expanded,
    });
    const { block: columns, uses: _uses, placed: _placed, ...rest } = encoded;
    // One piece of memory: it is transferred without a copy and written to the log unchanged.
    const block = serializeBlock(columns);
    reply({ kind: 'encoded', block, rest, bodyBytes }, [block.buffer as ArrayBuffer]);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    reply({ kind: 'refused', code: error.code, message: error.message });
  } finally {
    freeMemory(body.buffer);
  }
});
