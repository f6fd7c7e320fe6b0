import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { giveWay } from '../../async/give-way.js';
import { ownThread } from '../../async/thread-clock.js';
import { askingCatalogue, type CatalogueQuestion } from './asked-catalogue.js';
import { compileSource } from './compile-source.js';
import { printedCompilation } from './printed-compilation.js';
import type { CatalogueAnswer, CompileRequest, CompilerReply, CompilerStart } from './compiler-messages.js';

/**
 * The code of a compiler thread, which compiles one query after another. An unexpected error ends
 * the thread, and `compilers.ts` starts another one.
 */

const { answers, answered } = workerData as CompilerStart;
const signal = new Int32Array(answered);
signal[1] = ownThread();
giveWay();
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
  try {
    const catalogue = askingCatalogue(shape, ask);
    reply({ kind: 'compiled', compilation: printedCompilation(compileSource(source, { ...options, catalogue })) });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    reply({ kind: 'refused' });
  }
});
