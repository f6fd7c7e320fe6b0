import type { Exit } from './exit-codes.js';

/**
 * An expected reason why a command stops, with a message for the person who called it. Anything
 * else that is thrown is a defect.
 */
export class Failure extends Error {
  override readonly name: string = 'Failure';
  readonly exit: Exit;

  constructor(exit: Exit, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.exit = exit;
  }
}

export const usage = (message: string): Failure => new Failure('usage', message);
