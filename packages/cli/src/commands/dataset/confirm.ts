import { createInterface } from 'node:readline/promises';
import { Failure, usage } from '../../failure.js';
import type { Io } from '../../io.js';

/**
 * Prompts for confirmation of an action that cannot be undone; scripts use --force.
 * @param terminal for the prompt and the reply
 * @throws Failure `usage` when declined, `interrupted` after Ctrl-C
 */
export async function confirm(
  { input, err }: Io,
  force: boolean,
  question: string,
  terminal: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (force) return;
  if (!input.terminal || !err.terminal) throw usage(`${question} Say so with --force`);
  const prompt = createInterface({ ...terminal, terminal: true });
  let interrupted = false;
  prompt.once('SIGINT', () => {
    interrupted = true;
    prompt.close();
  });
  // Ctrl-D also closes the prompt. Depending on the version of Node, `question` then rejects or
  // never settles.
  const closed = new Promise<undefined>((resolve) => prompt.once('close', () => resolve(undefined)));
  try {
    const answer = await Promise.race([prompt.question(`${question} Type yes: `).catch(() => undefined), closed]);
    if (answer === undefined) await err.write('\n');
    if (interrupted) throw new Failure('interrupted', 'interrupted; nothing was changed');
    if (answer?.trim() !== 'yes') throw usage('nothing was changed');
  } finally {
    prompt.close();
  }
}

interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

export const forceOption = { type: 'flag', short: 'f', doc: 'Skip the confirmation prompt.' } as const;
