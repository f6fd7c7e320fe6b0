import type { EncodeOptions, EncodeResult } from './encode.js';

/** Where the values of names go that are too many: one object for each event, a map field. */
export const OTHER_FIELD = '_other';

/** The fields that a body may have. */
export interface OnlyFields {
  readonly fields: ReadonlySet<string>;
  /** Prefixes of their names, before each of their dots. */
  readonly parents: ReadonlySet<string>;
}

/** A body has more different names than allowed per body or dataset. */
export class TooManyFields extends Error {
  override readonly name = 'TooManyFields';
  /** The names that may become fields. */
  readonly keptNames: readonly string[];

  constructor(kept: readonly string[]) {
    super('the body has too many different fields');
    this.keptNames = kept;
  }
}

/**
 * Encodes a body. If it has too many names, it is encoded again with only some of them as fields:
 * the columns of a body must exist before new names can be detected, and such bodies are rare. The
 * set of names is complete once all have been reported.
 */
export function withinFields(options: EncodeOptions, encode: (options: EncodeOptions) => EncodeResult): EncodeResult {
  let now = options;
  for (;;) {
    try {
      return encode(now);
    } catch (error) {
      if (!(error instanceof TooManyFields)) throw error;
      const { familiar, ...rest } = now;
      now = familiar === undefined ? { ...options, only: onlyOf(error.keptNames) } : rest;
    }
  }
}

function onlyOf(names: readonly string[]): OnlyFields {
  const parents = new Set<string>();
  for (const name of names)
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) parents.add(name.slice(0, dot));
  return { fields: new Set(names), parents };
}
