import type { IncomingHttpHeaders } from 'node:http';
import type { TSchema } from 'typebox';
import type { ErrorCode } from '@millrace/api/errors';

/** An error as the table of errors has it. */
interface ErrorToSay {
  readonly code: ErrorCode;
  readonly status: number;
  readonly message: string;
  /** Properties of the standard form in addition to code and message. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Error response. */
export interface ErrorBody {
  readonly status: number;
  readonly mediaType: string;
  readonly content: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Format of error responses for routes whose clients do not read `{code, message}`. */
export interface ErrorFormat {
  /** For the documentation. */
  readonly doc: string;
  readonly mediaType: string;
  readonly schema?: TSchema;
  /**
   * Formats an error; undefined if the client that sent the request reads the standard form.
   * @param headers of the request
   * @param url of the request
   */
  say(error: ErrorToSay, headers: IncomingHttpHeaders, url?: string): ErrorBody | undefined;
}
