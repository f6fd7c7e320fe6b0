import { readRegex } from '../../functions/re2.js';
import type { Name, ParseSegment } from '../../syntax/ast.js';
import type { OperatorOf } from '../define.js';

/** A column that a pattern of `parse` makes. */
type Capture = Omit<ParseSegment & { readonly kind: 'capture' }, 'kind'> & {
  /** The number of its group in the regular expression of the whole pattern, from 1. */
  readonly group: number;
};

/**
 * The columns of a pattern in order: the names outside its texts and, with `kind=regex`, the groups
 * with names inside them. Other groups of a text make none, and neither does a group called like
 * one of the names.
 */
export function capturesOf({ mode, pattern }: OperatorOf<'parse'>): readonly Capture[] {
  const names = new Set(pattern.flatMap((segment) => (segment.kind === 'capture' ? [segment.name.text] : [])));
  let groups = 0;
  return pattern.flatMap((segment): readonly Capture[] => {
    if (segment.kind === 'capture') return [{ ...segment, group: ++groups }];
    if (segment.kind === 'skip' || mode !== 'regex') return [];
    const { span } = segment;
    return namedGroups(segment.text).flatMap((text): readonly Capture[] => {
      const group = ++groups;
      if (text === undefined || names.has(text)) return [];
      const name: Name = { text, quoted: true, span };
      return [{ name, type: 'string', span, group }];
    });
  });
}

/**
 * The groups of a text that is read as a regular expression: their names, undefined for those
 * without.
 */
export function namedGroups(text: string): readonly (string | undefined)[] {
  const reading = readRegex(text);
  return reading.ok ? reading.shape.groups.map(({ name }) => name) : [];
}
