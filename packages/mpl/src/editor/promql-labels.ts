import { shownTag } from '../tags.js';
import type { TagFilter, TagValue } from '../plan/plan.js';
import { type LabelCondition, Untranslatable } from './promql-text.js';

/**
 * Conditions on labels that select the same series. In PromQL, all conditions must hold, labels are
 * text, and a missing label is an empty one.
 */
export function conditionsOf(filter: TagFilter): readonly LabelCondition[] {
  switch (filter.kind) {
    case 'and':
      return filter.parts.flatMap(conditionsOf);
    case 'or':
      return [anyOf(filter.parts)];
    case 'not':
      return [negateCondition(filter.of)];
    case 'compare': {
      const { tag, op, value } = filter;
      if (op === '==') return [{ label: tag, op: '=', value: textOf(value) }];
      if (op === '!=') return [{ label: tag, op: '!=', value: textOf(value) }, present(tag)];
      throw new Untranslatable(`PromQL cannot compare labels with '${op}': '${tag}'`);
    }
    case 'regex': {
      const value = `.*(?:${filter.pattern}).*`;
      if (!filter.negated) return [{ label: filter.tag, op: '=~', value }, present(filter.tag)];
      return [{ label: filter.tag, op: '!~', value }, present(filter.tag)];
    }
    case 'in':
      return [anyOf(filter.values.map((value) => ({ kind: 'compare', tag: filter.tag, op: '==', value })))];
    case 'is':
      throw new Untranslatable(`PromQL has no types of labels: '${filter.tag} is ${filter.type}'`);
    case 'contains':
      throw new Untranslatable(`PromQL has no lists: '${filter.tag} contains …'`);
    case 'label':
      return [{ label: filter.tag, op: filter.op, value: filter.value }];
  }
}

const present = (label: string): LabelCondition => ({ label, op: '!=', value: '' });

/** Alternatives must compare one label with values. */
function anyOf(parts: readonly TagFilter[]): LabelCondition {
  const flat = parts.flatMap((part) => (part.kind === 'or' ? part.parts : [part]));
  const values = flat.map((part) => {
    if (part.kind !== 'compare' || part.op !== '==')
      throw new Untranslatable("PromQL can join conditions with 'or' only if they compare one tag with '=='");
    return part;
  });
  const [first] = values;
  if (first === undefined) throw new Untranslatable("PromQL cannot express an empty list after 'in'");
  if (values.some(({ tag }) => tag !== first.tag))
    throw new Untranslatable("PromQL cannot join conditions on different tags with 'or'");
  return { label: first.tag, op: '=~', value: values.map(({ value }) => escapeValue(textOf(value))).join('|') };
}

/** A negated equality also holds for series without the tag, in both languages. */
function negateCondition(filter: TagFilter): LabelCondition {
  if (filter.kind === 'compare' && filter.op === '==')
    return { label: filter.tag, op: '!=', value: textOf(filter.value) };
  if (filter.kind === 'or' || filter.kind === 'in') {
    const [of] = conditionsOf(filter);
    return { ...of!, op: '!~' };
  }
  throw new Untranslatable("PromQL can negate only equality: write 'not tag == …'");
}

function textOf(value: TagValue): string {
  if (value.type === 'array') throw new Untranslatable('PromQL has no lists as values of labels');
  const text = shownTag(value);
  if (text === '') throw new Untranslatable('PromQL cannot tell an empty label from a missing one');
  return text;
}

const escapeValue = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
