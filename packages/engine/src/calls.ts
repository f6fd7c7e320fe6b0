import { answerOf } from './columns.js';
import type { QueryAnswer } from './engine.js';
import { EngineError, engineErrorOf } from './errors.js';
import type { AnswerHead, ToChild } from './messages.js';
import type { EngineProcess } from './process.js';

/** Whether an aborted call rejects at once, or only when the engine has stopped its work. */
export type CancelMode = 'at-once' | 'when-stopped';

/**
 * Runs one statement in the engine's process and collects its answer.
 * @throws EngineError, `cancelled` when the signal fires
 */
export function call(
  process: EngineProcess,
  request: Extract<ToChild, { readonly type: 'run' }>,
  signal: AbortSignal | undefined,
  mode: CancelMode,
): Promise<QueryAnswer> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(new EngineError('cancelled'));
    let head: AnswerHead | undefined;
    let body = Buffer.alloc(0);
    let filled = 0;
    const settle = (act: () => void) => {
      signal?.removeEventListener('abort', cancel);
      process.forget(number);
      act();
    };
    const cancel = () => {
      process.cancel(number);
      if (mode === 'at-once') settle(() => reject(new EngineError('cancelled')));
    };
    const completeIfFilled = () => {
      if (head === undefined || filled < head.bodyBytes) return;
      const { elapsedNanoseconds } = head;
      settle(() => {
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
          // Not from the shared pool: answers may be large and long-lived.
          body = Buffer.allocUnsafeSlow(answer.bodyBytes);
        } catch (error) {
          // Thrown from here, it would end the server.
          return settle(() => reject(new EngineError('memory-limit', String(error))));
        }
        head = answer;
        completeIfFilled();
      },
      piece: (bytes) => {
        filled += bytes.copy(body, filled);
        completeIfFilled();
      },
      failed: (error) => settle(() => reject(error)),
    });
    signal?.addEventListener('abort', cancel, { once: true });
  });
}
