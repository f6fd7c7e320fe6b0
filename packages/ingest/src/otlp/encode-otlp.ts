import { encodeJson, type EncodeOptions, type EncodeResult } from '@millrace/events';
import { freeMemory } from '@millrace/runtime/memory/free-memory';
import { unpackOtlp, type UnpackOptions } from './unpack.js';

type OtlpOptions = EncodeOptions & UnpackOptions;

/**
 * Encodes an OTLP request as columns: converts its records to lines of JSON, which are then encoded
 * like any other body.
 * @throws HttpError when the request as a whole is invalid
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
