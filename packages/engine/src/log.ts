/** Logs the engine's events; may contain engine text, so it is for the operator only. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;
