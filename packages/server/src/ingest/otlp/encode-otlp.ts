import { encodeJson, type EncodeOptions, type EncodeResult } from '@millrace/events';
import { freeMemory } from '../../memory/free-memory.js';
import { unpackOtlp, type UnpackOptions } from './unpack.js';

type OtlpOptions = EncodeOptions & UnpackOptions;

/**
 * Turns an OTLP request into columns: its records become events as lines of JSON, which are then
 * encoded like any other body.
 * @throws HttpError when the request as a whole is wrong
 */
export function encodeOtlp(body: Uint8Array, options: OtlpOptions): EncodeResult {
  const { lines, failures, failed } = unpackOtlp(body, options);
  try {
    const encoded = encodeJson(lines, options);
    return {
      ...encoded,
      failed: failed + encoded.failed,
      failures: [...failures, ...encoded.failures].slice(0, options.limits.maxFailuresReported),
    };
  } finally {
    freeMemory(lines.buffer);
  }
}
