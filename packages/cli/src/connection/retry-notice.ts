import { type Output, styleText } from '../io.js';
import { escapeControls } from '../render/width.js';

/**
 * Reports retries on standard error, since their pauses can take minutes. Repeats of a reason are
 * omitted.
 */
export function retryNotice(err: Output): (error: Error) => void {
  let shown: string | undefined;
  return ({ message }) => {
    if (message === shown) return;
    shown = message;
    // In a terminal a `Progress` may occupy the line.
    const line = err.terminal ? '\r\u001B[K' : '';
    void err.write(`${line}${styleText(err, 'yellow', 'trying again:')} ${escapeControls(message)}\n`);
  };
}
