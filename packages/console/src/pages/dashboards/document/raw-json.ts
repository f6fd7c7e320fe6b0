import { membersOf } from './document.js';
import { type JsonPart, jsonParts } from './json-parts.js';

/**
 * Serializes a changed document. Unchanged parts keep their spelling: `60.0`, integers beyond the
 * precision of numbers, white space and property order.
 * @param before text of the document as loaded
 */
export function textToSave(document: unknown, before: string): string {
  const indent = /^\s*[[{]\s*\n([ \t]+)/.exec(before)?.[1] ?? '';
  return writeJson(document, isJson(before) ? before : undefined, indent) ?? 'null';
}

/** Undefined for values that JSON lacks. */
function writeJson(value: unknown, before: string | undefined, indent: string): string | undefined {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined || before === undefined) return text;
  if (JSON.stringify(JSON.parse(before)) === text) return before;
  const isList = Array.isArray(value);
  if (typeof value !== 'object' || value === null || !before.startsWith(isList ? '[' : '{')) return text;
  const parts = jsonParts(before);
  const last = parts.at(-1);
  if (last === undefined) return text;
  const find = isList ? itemIn(parts) : memberIn(parts);
  const texts = Object.entries(value).flatMap(([name, item], index) => {
    const part = find(name, item, index);
    const body = writeJson(item, part?.value, indent);
    if (body === undefined) return [];
    if (part !== undefined) return [{ lead: part.lead, text: `${part.key}${body}${part === last ? '' : part.trail}` }];
    // A new item is formatted like its neighbors.
    const { lead } = last;
    const key = isList ? '' : `${JSON.stringify(name)}${/:\s*$/.exec(last.key)![0]}`;
    return [{ lead, text: key + (lead.includes('\n') ? inLines(item, lead, indent) : body) }];
  });
  // The first item has no comma, and perhaps other white space.
  const all = texts.map(({ lead, text }, index) => (index === 0 ? parts[0]!.lead : lead) + text).join(',');
  return isList ? `[${all}${last.trail}]` : `{${all}${last.trail}}`;
}

const inLines = (value: unknown, lead: string, indent: string): string =>
  JSON.stringify(value, null, indent).replaceAll('\n', lead.slice(lead.lastIndexOf('\n')));

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

type Find = (name: string, item: unknown, index: number) => JsonPart | undefined;

/** Of duplicate names the last counts, as in `JSON.parse`. */
function memberIn(parts: readonly JsonPart[]): Find {
  const named = new Map(parts.map((part) => [part.name, part]));
  return (name) => named.get(name);
}

/** Matches an item with its previous version: charts and positions by name, the rest by index. */
function itemIn(parts: readonly JsonPart[]): Find {
  const named = new Map<unknown, JsonPart>(
    parts.flatMap((part) => {
      const { id, i } = membersOf(JSON.parse(part.value));
      return id === undefined && i === undefined ? [] : [[id ?? i, part] as const];
    }),
  );
  return (_, item, index) => {
    const { id, i } = membersOf(item);
    return named.get(id ?? i) ?? parts[index];
  };
}
