import { encodeJson } from '../encode-json.js';
import type { EncodeOptions, EncodeResult } from '../encode.js';
import { DEFAULT_LIMITS } from '../limits.js';
import type { ColumnPlacement } from '../placement.js';
import { type Row, readBlock } from './read-block.js';

export const everywhere: ColumnPlacement = { place: ({ uses }) => uses.map(() => true) };
export const nowhere: ColumnPlacement = { place: ({ uses }) => uses.map(() => false) };

/** Options that give every field a column; `limits` are merged over the default ones. */
export function options(
  changes: Partial<Omit<EncodeOptions, 'limits'>> & { limits?: Partial<EncodeOptions['limits']> } = {},
): EncodeOptions {
  return {
    arrivalTime: 1_700_000_000_000_000_000n,
    mapFields: new Set(),
    placement: everywhere,
    ...changes,
    limits: { ...DEFAULT_LIMITS, ...changes.limits },
  };
}

export function encode(body: string | Uint8Array, changes?: Parameters<typeof options>[0]): EncodeResult {
  return encodeJson(typeof body === 'string' ? Buffer.from(body) : body, options(changes));
}

/** The rows without their `_time`. */
export function rowsOf(result: EncodeResult): Row[] {
  return readBlock(result.block).map(({ _time, ...rest }) => rest);
}

/** The rows of a body that must not have failures. */
export function rows(body: string | Uint8Array, changes?: Parameters<typeof options>[0]): Row[] {
  const result = encode(body, changes);
  if (result.failed > 0) throw new Error(result.failures.map(({ error }) => error).join('\n'));
  return rowsOf(result);
}

/** The errors of a body, without the place at their beginning. */
export function errors(body: string | Uint8Array, changes?: Parameters<typeof options>[0]): string[] {
  return encode(body, changes).failures.map(({ error }) =>
    error.replace(/^event \d+, line \d+(, byte \d+)?(, in what begins in line \d+)?: /, ''),
  );
}
