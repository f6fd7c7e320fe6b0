import { type JsonNode, parseJson } from '../../../rows/json-parse.js';
import { membersOf } from './document.js';

/**
 * The text of a changed document. What is as it was keeps its spelling: `60.0` stays `60.0`, and an
 * integer with more digits than a number has here keeps them all.
 * @param before the text of the document as it was read
 */
export function keptText(document: unknown, before: string): string {
  return written(document, parseJson(before)) ?? 'null';
}

/** Undefined for what JSON does not have. */
function written(value: unknown, before: JsonNode | undefined): string | undefined {
  if (before?.kind === 'scalar' && JSON.parse(before.text) === value) return before.text;
  if (Array.isArray(value)) {
    const find = partnerIn(before?.kind === 'array' ? before.items : []);
    return `[${value.map((item, index) => written(item, find(item, index)) ?? 'null').join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = new Map(before?.kind === 'object' ? before.members : []);
  const texts = Object.entries(value).flatMap(([name, member]) => {
    const text = written(member, members.get(name));
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${texts.join(',')}}`;
}

/** Which item an item was before: charts and places have names, everything else has a place. */
function partnerIn(items: readonly JsonNode[]): (item: unknown, index: number) => JsonNode | undefined {
  const named = new Map(
    items.flatMap((item) => {
      const name =
        item.kind === 'object' ? item.members.find(([member]) => member === 'id' || member === 'i') : undefined;
      return name?.[1].kind === 'scalar' ? [[JSON.parse(name[1].text) as unknown, item] as const] : [];
    }),
  );
  return (item, index) => {
    const { id, i } = membersOf(item);
    return named.get(id ?? i) ?? items[index];
  };
}
