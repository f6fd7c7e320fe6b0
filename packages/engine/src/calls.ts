import { answerOf } from './columns.js';
import type { EngineResult } from './engine.js';
import { EngineError, engineErrorOf, type UnfinishedStatement } from './errors.js';
import type { AnswerHead, ToChild } from './messages.js';
import type { EngineProcess } from './process.js';

/** Whether an aborted call rejects at once, or only when the engine has stopped its work. */
export type CancelMode = 'at-once' | 'when-stopped';

/** How long the engine may take to stop a statement at its time limit before it is canceled. */
const graceMilliseconds = 500;

/**
 * Runs one statement in the engine's process and collects its result. Stops waiting for a statement
 * that does not stop after cancellation or its time limit; the error's `unfinished` reports when
 * the engine stops.
 * @throws EngineError, `cancelled` when the signal fires, `time-limit` when the time is over
 */
export function call(
  process: EngineProcess,
  request: Extract<ToChild, { readonly type: 'run' }>,
  signal: AbortSignal | undefined,
  mode: CancelMode,
): Promise<EngineResult> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(new EngineError('cancelled'));
    let head: AnswerHead | undefined;
    let body = Buffer.alloc(0);
    let filled = 0;
    let late: NodeJS.Timeout | undefined;
    const unfinished = new RunningStatement();
    const settle = (act: () => void) => {
      signal?.removeEventListener('abort', cancel);
      clearTimeout(late);
      act();
    };
    const finish = (act: () => void) => {
      process.forget(number);
      unfinished.stop();
      settle(act);
    };
    const leave = (code: 'cancelled' | 'time-limit') => {
      process.cancel(number);
      if (mode === 'at-once') settle(() => reject(new EngineError(code, '', undefined, unfinished)));
    };
    const cancel = () => leave('cancelled');
    const completeIfFilled = () => {
      if (head === undefined || filled < head.bodyBytes) return;
      const { elapsedNanoseconds } = head;
      finish(() => {
        try {
          resolve(answerOf(request.format, body, elapsedNanoseconds));
        } catch (error) {
          reject(engineErrorOf((error as Error).message));
        }
      });
    };
    const number = process.begin(request, {
      answer: (answer) => {
        try {
          // Not from the shared pool: results may be large and long-lived.
          body = Buffer.allocUnsafeSlow(answer.bodyBytes);
        } catch (error) {
          // Thrown in this listener, the error would end the server.
          return finish(() => reject(new EngineError('memory-limit', String(error))));
        }
        head = answer;
        completeIfFilled();
      },
      piece: (bytes) => {
        filled += bytes.copy(body, filled);
        completeIfFilled();
      },
      detached: () => {
        unfinished.release();
        // The reader of a stream must not wait for a statement that may run for hours.
        settle(() => reject(new EngineError('cancelled', '', undefined, unfinished)));
      },
      failed: (error) => finish(() => reject(error)),
    });
    signal?.addEventListener('abort', cancel, { once: true });
    if (request.milliseconds !== undefined && mode === 'at-once')
      late = setTimeout(() => leave('time-limit'), Math.max(0, request.milliseconds) + graceMilliseconds);
  });
}

class RunningStatement implements UnfinishedStatement {
  release: () => void = () => undefined;
  #handleStop: () => void = () => undefined;
  readonly releasePromise = new Promise<void>((resolve) => (this.release = resolve));
  readonly stopPromise = new Promise<void>((resolve) => (this.#handleStop = resolve));

  stop(): void {
    this.release();
    this.#handleStop();
  }
}
