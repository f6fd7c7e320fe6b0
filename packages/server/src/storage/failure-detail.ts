import { EngineError } from '@millrace/engine';

/**
 * An error as the server's own log shows it. An error of the engine is shown with the engine's
 * text, which no client may see.
 */
export const failureDetail = (error: unknown): Readonly<Record<string, unknown>> =>
  error instanceof EngineError ? { code: error.code, detail: error.detail } : { err: error };
