import { inFlags } from '../connection/flag-hints.js';
import { type Output, styleText } from '../io.js';
import { escapeControls } from './width.js';

/** A message in a response. */
interface ServerMessage {
  readonly priority: string;
  readonly msg: string;
}

/** Shows server messages as warnings, one per line. */
export async function writeMessages(err: Output, messages: readonly ServerMessage[]): Promise<void> {
  for (const { priority, msg } of messages)
    await err.write(`${styleText(err, 'yellow', `${escapeControls(priority)}:`)} ${escapeControls(inFlags(msg))}\n`);
}
