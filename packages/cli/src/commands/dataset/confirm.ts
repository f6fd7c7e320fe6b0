import { createInterface } from 'node:readline/promises';
import { usage } from '../../failure.js';
import type { Io } from '../../io.js';

/**
 * Asks before something that cannot be undone; a script has to use --force.
 * @throws Failure `usage` when it was not confirmed
 */
export async function confirm({ input, err }: Io, force: boolean, question: string): Promise<void> {
  if (force) return;
  if (!input.terminal || !err.terminal) throw usage(`${question} Say so with --force`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`${question} Type yes: `);
    if (answer.trim() !== 'yes') throw usage('nothing was changed');
  } finally {
    prompt.close();
  }
}

export const forceOption = { type: 'flag', short: 'f', doc: 'Do not ask.' } as const;
