import type { ExtendedTag, TagValue } from '../plan/plan.js';
import { BoundExceeded, metricsBounds } from '../model/bounds.js';
import type { Work } from '../model/work.js';
import { shownTag, type Tags } from '../tags.js';
import { eachSeries, type Frame, type Steps } from './series.js';

/** A tag cannot be added to a series. */
export class ExtendProblem extends Error {}

/** @throws ExtendProblem, BoundExceeded */
export function* extend(frame: Frame, added: readonly ExtendedTag[], work: Work): Steps<Frame> {
  const series = yield* eachSeries(frame.series, work, (each) => {
    const tags = new Map(each.tags);
    for (const one of added) {
      if (tags.has(one.tag)) throw new ExtendProblem(`extend cannot replace the tag '${one.tag}'; choose another name`);
      tags.set(one.tag, valueOf(one, tags, work));
    }
    return { ...each, tags };
  });
  return { ...frame, series };
}

function valueOf(one: ExtendedTag, tags: Tags, work: Work): TagValue {
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
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  // Each tag may repeat the one before it, which doubles the length.
  if (length > metricsBounds.tagText.max)
    throw new BoundExceeded(metricsBounds.tagText, `shorten the text of the tag '${one.tag}'`);
  work.create('text', length);
  return { type: 'string', value: texts.join('') };
}
