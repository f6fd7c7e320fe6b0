import { InputError } from '@millrace/sources/files/input-error';
import type { Exit } from './exit-codes.js';

/** An expected error, with a message for the user. Other exceptions are bugs. */
export class Failure extends Error {
  override readonly name: string = 'Failure';
  readonly exit: Exit;

  constructor(exit: Exit, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.exit = exit;
  }
}

export const usage = (message: string): Failure => new Failure('usage', message);

/** Whether an error is expected; such errors have an exit code. */
export const isFailure = (error: unknown): error is Failure | InputError =>
  error instanceof Failure || error instanceof InputError;
