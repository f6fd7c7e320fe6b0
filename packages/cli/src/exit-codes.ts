/** The exit codes of the command, declared once; `--help` and docs/cli.md list them. */
export const exitCodes = {
  done: { code: 0, meaning: 'done' },
  failed: {
    code: 1,
    meaning: 'failed, or done in part: a query is wrong, some events were refused, a check found something wrong',
  },
  usage: { code: 2, meaning: 'called wrongly: unknown command or option, bad value, no token' },
  'not-found': { code: 3, meaning: 'the dataset, token or other thing does not exist' },
  refused: { code: 4, meaning: 'the token is missing, wrong or expired, or lacks the right' },
  unavailable: {
    code: 5,
    meaning: 'the server (for serve: ClickHouse) cannot be reached, or was too busy until all attempts were used up',
  },
  interrupted: { code: 130, meaning: 'stopped by Ctrl-C, after reporting what was stored or kept' },
} as const satisfies Record<string, { readonly code: number; readonly meaning: string }>;

export type Exit = keyof typeof exitCodes;
