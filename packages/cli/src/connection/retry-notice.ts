import { type Output, styled } from '../io.js';
import { printable } from '../render/width.js';

/**
 * Says on standard error why a request is sent again, each reason once until another follows: the
 * pauses can take minutes.
 */
export function retryNotice(err: Output): (error: Error) => void {
  let told: string | undefined;
  return ({ message }) => {
    if (message === told) return;
    told = message;
    // In a terminal the line may be that of a `Progress`.
    const line = err.terminal ? '\r\u001B[K' : '';
    void err.write(`${line}${styled(err, 'yellow', 'trying again:')} ${printable(message)}\n`);
  };
}
