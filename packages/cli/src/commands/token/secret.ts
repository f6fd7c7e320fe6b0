import type { Io } from '../../io.js';

/** A new token. Its secret is shown only once. */
export interface MadeToken {
  readonly id: string;
  readonly name: string;
  readonly token: string;
}

/** Writes only the secret to standard output, for scripts that store it. */
export async function showSecret({ out, err }: Io, made: MadeToken, json: boolean): Promise<'done'> {
  if (json) {
    await out.write(`${JSON.stringify(made)}\n`);
    return 'done';
  }
  await err.write(`Token '${made.name}' (id ${made.id}); copy the secret now, it is not shown again:\n`);
  await out.write(`${made.token}\n`);
  return 'done';
}
