import type { TagValue } from './plan/plan.js';

/** Tags of a series, by name. */
export type Tags = ReadonlyMap<string, TagValue>;

/** The stored form of a value: a letter for the type, and its text. */
export function tagText(tag: TagValue): string {
  switch (tag.type) {
    case 'string':
      return `s${tag.value}`;
    case 'int':
      return `i${tag.value}`;
    case 'float':
      return `f${tag.value === Infinity ? 'inf' : tag.value === -Infinity ? '-inf' : String(tag.value)}`;
    case 'bool':
      return tag.value ? 'b1' : 'b0';
    case 'array':
      return `a${JSON.stringify(tag.value.map(tagText))}`;
  }
}

/** Reads the stored form of a value. */
export function readTag(text: string): TagValue {
  const value = text.slice(1);
  switch (text[0]) {
    case 'i':
      return { type: 'int', value: Number(value) };
    case 'f':
      return { type: 'float', value: value === 'inf' ? Infinity : value === '-inf' ? -Infinity : Number(value) };
    case 'b':
      return { type: 'bool', value: value === '1' };
    case 'a':
      return { type: 'array', value: (JSON.parse(value) as readonly string[]).map(readTag) };
    default:
      return { type: 'string', value };
  }
}

/** Reads the stored tags of a series. */
export const readTags = (text: string): Tags =>
  new Map(
    Object.entries(JSON.parse(text) as Readonly<Record<string, string>>).map(([name, value]) => [name, readTag(value)]),
  );

/** Equal tags give equal texts. */
export const tagsKey = (tags: Tags): string =>
  JSON.stringify([...tags].map(([name, value]) => [name, tagText(value)]).toSorted(([a], [b]) => (a! < b! ? -1 : 1)));

/** The tags of these names; absent ones are left out. */
export const pickTags = (tags: Tags, names: readonly string[]): Tags =>
  new Map(names.flatMap((name) => (tags.has(name) ? [[name, tags.get(name)!] as const] : [])));

/** The text of a value, as it is inserted into strings. */
export const shownTag = (tag: TagValue): string =>
  tag.type === 'array'
    ? JSON.stringify(jsonOfTag(tag))
    : tag.type === 'float' || tag.type === 'int'
      ? numberText(tag.value)
      : String(tag.value);

const numberText = (value: number): string =>
  value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : String(value);

/** A value as JSON: infinities, which JSON lacks, are strings. */
export function jsonOfTag(tag: TagValue): unknown {
  if (tag.type === 'array') return tag.value.map(jsonOfTag);
  if (tag.type === 'float' && !Number.isFinite(tag.value)) return numberText(tag.value);
  return tag.value;
}
