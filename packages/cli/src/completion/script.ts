import { usage } from '../failure.js';
import { bashCompletion } from './bash.js';
import { fishCompletion } from './fish.js';
import { type CompletedCommand, completedCommands } from './words.js';
import { zshCompletion } from './zsh.js';

const scripts: ReadonlyMap<string, (commands: readonly CompletedCommand[]) => string> = new Map([
  ['bash', bashCompletion],
  ['zsh', zshCompletion],
  ['fish', fishCompletion],
]);

/**
 * The completion script of a shell.
 * @throws Failure `usage`
 */
export async function completionScript(shell: string): Promise<string> {
  const script = scripts.get(shell);
  if (script === undefined)
    throw usage(`no completion for '${shell}'; expected one of ${[...scripts.keys()].join(', ')}`);
  const { commands } = await import('../commands/every-command.js');
  return script(await completedCommands(commands));
}
