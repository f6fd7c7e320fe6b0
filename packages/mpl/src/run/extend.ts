import type { ExtendedTag, TagValue } from '../plan/plan.js';
import { shownTag, type Tags } from '../tags.js';
import type { Frame } from './series.js';

/** A tag cannot be added to a series. */
export class ExtendProblem extends Error {}

/** @throws ExtendProblem */
export const extend = (frame: Frame, added: readonly ExtendedTag[]): Frame => ({
  ...frame,
  series: frame.series.map((series) => {
    const tags = new Map(series.tags);
    for (const one of added) {
      if (tags.has(one.tag)) throw new ExtendProblem(`extend cannot replace the tag '${one.tag}'; choose another name`);
      tags.set(one.tag, valueOf(one, tags));
    }
    return { ...series, tags };
  }),
});

function valueOf(one: ExtendedTag, tags: Tags): TagValue {
  if (one.kind === 'constant') return one.value;
  const texts = one.parts.map((part) => {
    if (typeof part === 'string') return part;
    const tag = tags.get(part.tag);
    if (tag === undefined)
      throw new ExtendProblem(
        `a series has no tag '${part.tag}' to insert; select series with 'where ${part.tag} is string'`,
      );
    return shownTag(tag);
  });
  return { type: 'string', value: texts.join('') };
}
