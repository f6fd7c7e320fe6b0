import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '@millrace/runtime/async/thread-priority';
import { currentThread, processorTime } from '@millrace/runtime/async/thread-clock';
import { remoteCatalog, type CatalogLookup } from './remote-catalog.js';
import { compileSource } from './compile-source.js';
import { printedCompilation } from './printed-compilation.js';
import type { CatalogAnswer, CompileRequest, CompilerReply, CompilerStart } from './compiler-messages.js';

/**
 * The code of a compiler thread, which compiles one query after another. An unexpected error ends
 * the thread, and `compilers.ts` starts another one.
 */

const { answers, answered } = workerData as CompilerStart;
const signal = new Int32Array(answered);
const thread = currentThread();
Atomics.store(signal, 1, thread);
lowerThreadPriority();
const main = parentPort!;

const reply = (message: CompilerReply): void => main.postMessage(message, []);

class LookupError extends Error {}

function ask(lookup: CatalogLookup): unknown {
  Atomics.store(signal, 0, 0);
  reply({ kind: 'asks', lookup: lookup });
  Atomics.wait(signal, 0, 0);
  const answer = receiveMessageOnPort(answers)!.message as CatalogAnswer;
  if (answer.kind === 'threw') throw new LookupError();
  return answer.answer;
}

main.on('message', ({ source, options, shape }: CompileRequest) => {
  Atomics.store(signal, 2, processorTime(thread) ?? 0);
  try {
    const catalog = remoteCatalog(shape, ask);
    reply({ kind: 'compiled', compilation: printedCompilation(compileSource(source, { ...options, catalog })) });
  } catch (error) {
    if (!(error instanceof LookupError)) throw error;
    reply({ kind: 'refused' });
  }
});
