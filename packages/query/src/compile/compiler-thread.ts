import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '@millrace/runtime/async/thread-priority';
import { ownThread, processorTime } from '@millrace/runtime/async/thread-clock';
import { remoteCatalogue, type CatalogueQuestion } from './remote-catalog.js';
import { compileSource } from './compile-source.js';
import { printedCompilation } from './printed-compilation.js';
import type { CatalogueAnswer, CompileRequest, CompilerReply, CompilerStart } from './compiler-messages.js';

/**
 * The code of a compiler thread, which compiles one query after another. An unexpected error ends
 * the thread, and `compilers.ts` starts another one.
 */

const { answers, answered } = workerData as CompilerStart;
const signal = new Int32Array(answered);
const thread = ownThread();
Atomics.store(signal, 1, thread);
lowerThreadPriority();
const main = parentPort!;

const reply = (message: CompilerReply): void => main.postMessage(message, []);

class Refused extends Error {}

function ask(question: CatalogueQuestion): unknown {
  Atomics.store(signal, 0, 0);
  reply({ kind: 'asks', question });
  Atomics.wait(signal, 0, 0);
  const told = receiveMessageOnPort(answers)!.message as CatalogueAnswer;
  if (told.kind === 'threw') throw new Refused();
  return told.answer;
}

main.on('message', ({ source, options, shape }: CompileRequest) => {
  Atomics.store(signal, 2, processorTime(thread) ?? 0);
  try {
    const catalogue = remoteCatalogue(shape, ask);
    reply({ kind: 'compiled', compilation: printedCompilation(compileSource(source, { ...options, catalogue })) });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    reply({ kind: 'refused' });
  }
});
