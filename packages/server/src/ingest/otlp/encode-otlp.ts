import { encodeJson, type EncodeOptions, type EncodeResult } from '@millrace/events';
import { freeMemory } from '../../free-memory.js';
import { unpackOtlp, type UnpackOptions } from './unpack.js';

export type OtlpOptions = EncodeOptions & UnpackOptions;

/**
 * An OTLP request → columns, by way of the lines of JSON that its records are as events.
 * @throws HttpError when the request as a whole is wrong
 */
export function encodeOtlp(body: Uint8Array, options: OtlpOptions): EncodeResult {
  const { lines, failures, failed } = unpackOtlp(body, options);
  try {
    const encoded = encodeJson(lines, options);
    return {
      ...encoded,
      failed: failed + encoded.failed,
      failures: [...failures, ...encoded.failures].slice(0, options.limits.maxFailures),
    };
  } finally {
    freeMemory(lines.buffer);
  }
}
