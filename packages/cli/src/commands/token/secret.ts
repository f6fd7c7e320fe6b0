import type { Io } from '../../io.js';

/** A token that has just been made. Its secret is never available again. */
export interface MadeToken {
  readonly id: string;
  readonly name: string;
  readonly token: string;
}

/** Shows the secret, alone on standard output, so that a script can store it. */
export async function showSecret({ out, err }: Io, made: MadeToken, json: boolean): Promise<'done'> {
  if (json) {
    await out.write(`${JSON.stringify(made)}\n`);
    return 'done';
  }
  await err.write(`Token '${made.name}' (id ${made.id}); its secret is shown this once:\n`);
  await out.write(`${made.token}\n`);
  return 'done';
}
