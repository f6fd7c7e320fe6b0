import type { EncodeOptions, EncodeResult } from './encode.js';

/** Where the values of names go that are too many: one object for each event, a map field. */
export const OTHER_FIELD = '_other';

/** The fields that a body may bring. */
export interface OnlyFields {
  readonly fields: ReadonlySet<string>;
  /** What their names begin with, before each of their dots. */
  readonly parents: ReadonlySet<string>;
}

/** A body has more different names than it may bring, or than its dataset takes. */
export class TooManyFields extends Error {
  override readonly name = 'TooManyFields';
  /** Those that may become fields. */
  readonly kept: readonly string[];

  constructor(kept: readonly string[]) {
    super('the body has too many different fields');
    this.kept = kept;
  }
}

/**
 * Encodes a body. If it turns out to have too many names, it is encoded again, with only some of
 * them as fields. The columns of a body exist before anybody can ask which of its names are new,
 * and such bodies are rare. Which names it has is known once all of them are told of.
 */
export function withinFields(options: EncodeOptions, encode: (options: EncodeOptions) => EncodeResult): EncodeResult {
  let now = options;
  for (;;) {
    try {
      return encode(now);
    } catch (error) {
      if (!(error instanceof TooManyFields)) throw error;
      const { familiar, ...rest } = now;
      now = familiar === undefined ? { ...options, only: onlyOf(error.kept) } : rest;
    }
  }
}

function onlyOf(names: readonly string[]): OnlyFields {
  const parents = new Set<string>();
  for (const name of names)
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) parents.add(name.slice(0, dot));
  return { fields: new Set(names), parents };
}
