/**
 * Where the engine reports what happened to it; may hold engine text, so it is for the operator
 * only.
 */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;
