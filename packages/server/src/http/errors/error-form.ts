import type { IncomingHttpHeaders } from 'node:http';
import type { TSchema } from 'typebox';
import type { ErrorCode } from '../../errors.js';

/** An error as the table of errors has it. */
interface ErrorToSay {
  readonly code: ErrorCode;
  readonly status: number;
  readonly message: string;
  /** Members of the usual form, with those beyond code and message. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The answer that tells a client of an error. */
export interface SaidError {
  readonly status: number;
  readonly mediaType: string;
  readonly content: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * How the clients of a route are told of errors, where they read another form than
 * `{code, message}`.
 */
export interface ErrorForm {
  /** For the documentation. */
  readonly doc: string;
  readonly mediaType: string;
  readonly schema?: TSchema;
  /**
   * The error in this form; undefined if the client that sent the request reads the usual one.
   * @param headers those of the request
   * @param url that of the request
   */
  say(error: ErrorToSay, headers: IncomingHttpHeaders, url?: string): SaidError | undefined;
}
