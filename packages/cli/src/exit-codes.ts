/** Exit codes, listed by `--help` and docs/cli.md. */
export const exitCodes = {
  done: { code: 0, meaning: 'done' },
  failed: {
    code: 1,
    meaning: 'failed or partially failed: invalid query, rejected events, or failed verification',
  },
  usage: { code: 2, meaning: 'usage error: unknown command or option, invalid value, missing token' },
  'not-found': { code: 3, meaning: 'resource not found' },
  refused: { code: 4, meaning: 'authentication or authorization failed' },
  unavailable: {
    code: 5,
    meaning: 'the server (for serve: ClickHouse) cannot be reached, or was too busy until all attempts were used up',
  },
  blocked: {
    code: 6,
    meaning:
      'serve and demo cannot start here: the port or the data directory is in use, the disk is full, or a right is missing',
  },
  interrupted: { code: 130, meaning: 'interrupted (Ctrl-C)' },
} as const satisfies Record<string, { readonly code: number; readonly meaning: string }>;

export type Exit = keyof typeof exitCodes;
