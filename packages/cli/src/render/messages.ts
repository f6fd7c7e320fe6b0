import { inFlags } from '../connection/in-flags.js';
import { type Output, styled } from '../io.js';
import { printable } from './width.js';

/** What a server says beside its answer. */
interface ServerMessage {
  readonly priority: string;
  readonly msg: string;
}

/** Shows messages of the server, which are warnings, one a line. */
export async function writeMessages(err: Output, messages: readonly ServerMessage[]): Promise<void> {
  for (const { priority, msg } of messages)
    await err.write(`${styled(err, 'yellow', `${printable(priority)}:`)} ${printable(inFlags(msg))}\n`);
}
