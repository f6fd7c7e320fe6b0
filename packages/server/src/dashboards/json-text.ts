import { httpError } from '@millrace/api/errors';
import { endOfString } from '@millrace/http/body/json-body';

/**
 * Splits and joins valid JSON text without changing the form of values: `60.0`, `1e3`, the order of
 * properties and the white space inside a value stay.
 */

/**
 * The properties of an object, each with its value as text. Of equal names the last wins, as for
 * `JSON.parse`.
 */
export function membersOf(object: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  for (const part of partsOf(object)) {
    const nameEnd = endOfString(part, 0) + 1;
    members.set(JSON.parse(part.slice(0, nameEnd)) as string, part.slice(part.indexOf(':', nameEnd) + 1).trim());
  }
  return members;
}

/** The items of an array. */
export const itemsOf = (array: string): readonly string[] => partsOf(array);

export const objectOf = (members: ReadonlyMap<string, string>): string =>
  `{${Array.from(members, ([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

export const arrayOf = (items: readonly string[]): string => `[${items.join(',')}]`;

/** Maximum nesting of merged objects; charts have three or four levels. */
const maxLevels = 16;

/**
 * Applies a JSON merge patch (RFC 7396): null removes a property, objects are merged, everything
 * else replaces.
 * @param target undefined if there is no value yet
 * @throws HttpError `invalid-dashboard` if it is nested too deeply
 */
export function mergePatched(target: string | undefined, patch: string, level = 0): string {
  if (!isObject(patch)) return patch;
  // Each level parses all nested levels again.
  if (level === maxLevels)
    throw httpError('invalid-dashboard', {
      problem: `the patch is nested deeper than ${maxLevels} levels; replace the dashboard instead`,
    });
  const merged = new Map(target !== undefined && isObject(target) ? membersOf(target) : []);
  for (const [name, value] of membersOf(patch)) {
    if (value === 'null') merged.delete(name);
    else merged.set(name, mergePatched(merged.get(name), value, level + 1));
  }
  return objectOf(merged);
}

const isObject = (text: string): boolean => text.trimStart().startsWith('{');

const quote = 0x22;
const comma = 0x2c;
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d] as const;

/** Splits the outermost object or array at its commas, and trims the parts. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === quote) i = endOfString(text, i);
    else if (char === openBrace || char === openBracket) {
      if (++depth === 1) begin = i + 1;
    } else if (char === closeBrace || char === closeBracket) {
      if (--depth === 0) parts.push(text.slice(begin, i).trim());
    } else if (char === comma && depth === 1) {
      parts.push(text.slice(begin, i).trim());
      begin = i + 1;
    }
  }
  // An empty object or array has one part, which is empty.
  return parts.length === 1 && parts[0] === '' ? [] : parts;
}
