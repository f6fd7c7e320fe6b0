import { EngineError } from '@millrace/engine';

/**
 * An error for the server's own log. It includes the engine's text, which must not reach a client.
 */
export const failureDetail = (error: unknown): Readonly<Record<string, unknown>> =>
  error instanceof EngineError ? { code: error.code, detail: error.detail } : { err: error };
