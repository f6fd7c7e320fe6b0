import { EngineError } from '@millrace/engine';

/** An error as a line of the server's own log shows it: of one of the engine's, what the engine said, which no client may see. */
export const failureDetail = (error: unknown): Readonly<Record<string, unknown>> =>
  error instanceof EngineError ? { code: error.code, detail: error.detail } : { err: error };
