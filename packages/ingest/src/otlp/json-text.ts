import { floatText, TOO_LONG } from '@millrace/events';
import type { JsonBytes } from '../bytes/json-bytes.js';
import type { Attribute } from './message-schema.js';

/** Writes values as JSON, the form that the events of a body have before they become columns. */

/** Replaces a part of a value that is too long as a whole. */
const tooLongText = JSON.stringify(TOO_LONG);

/**
 * Bytes as Base64; of more than are stored, the beginning, and a note with how many there were.
 */
export function shortenedBase64(bytes: Buffer, { maxValueBytes }: { readonly maxValueBytes: number }): string {
  if (bytes.length <= maxValueBytes) return bytes.toString('base64');
  const note = `<invalid string: too long, ${bytes.length} bytes>`;
  // Each three bytes become four characters.
  const kept = Math.max(0, Math.floor((maxValueBytes - note.length) / 4) * 3);
  return `${bytes.toString('base64', 0, kept)}${note}`;
}

/**
 * Formats a double. JSON cannot represent NaN and infinities: they become strings, as in protobuf's
 * JSON mapping.
 */
export const doubleText = (value: number): string =>
  Number.isInteger(value) ? floatText(value) : Number.isFinite(value) ? String(value) : `"${value}"`;

/**
 * Writes attributes as an object. If a key repeats, the last one wins: objects stored as JSON are
 * not parsed again.
 * @param replaced attributes whose values are replaced by a note that they are too long
 */
export function writeObject(out: JsonBytes, attributes: readonly Attribute[], replaced?: ReadonlySet<Attribute>): void {
  let before = '{';
  for (const attribute of withoutRepeats(attributes)) {
    out.ascii(before);
    out.bytes(attribute.key.plain);
    if (replaced?.has(attribute) === true) out.ascii(tooLongText);
    else out.piece(attribute.in, attribute);
    before = ',';
  }
  out.ascii(before === '{' ? '{}' : '}');
}

/** Replaces the values in `pieces` from `start` on by an object of them. */
export function replaceByObject(pieces: JsonBytes, start: number, attributes: readonly Attribute[]): void {
  const valuesEnd = pieces.length;
  writeObject(pieces, attributes);
  pieces.remove(start, valuesEnd);
}

/** The attributes that {@link writeObject} writes. */
export const withoutRepeats = (attributes: readonly Attribute[]): Iterable<Attribute> =>
  hasRepeats(attributes) ? lastOfEach(attributes) : attributes;

/**
 * The attributes to replace, the longest first, so that `excess` bytes less are written, if that is
 * possible.
 */
export function longestOf(attributes: readonly Attribute[], excess: number): ReadonlySet<Attribute> {
  const longest = attributes.toSorted((left, right) => lengthOf(right) - lengthOf(left));
  const replaced = new Set<Attribute>();
  let left = excess;
  for (const attribute of longest) {
    const saved = lengthOf(attribute) - tooLongText.length;
    if (left <= 0 || saved <= 0) break;
    replaced.add(attribute);
    left -= saved;
  }
  return replaced;
}

const lengthOf = ({ start, end }: Attribute): number => end - start;

/** Up to this many keys are compared with each other; for more, a set is faster. */
const few = 8;

function hasRepeats(attributes: readonly Attribute[]): boolean {
  if (attributes.length > few) return new Set(attributes.map(({ key }) => key.text)).size < attributes.length;
  return attributes.some(({ key }, index) => {
    for (let i = 0; i < index; i++) if (attributes[i]!.key.text === key.text) return true;
    return false;
  });
}

function lastOfEach(attributes: readonly Attribute[]): Iterable<Attribute> {
  const members = new Map<string, Attribute>();
  for (const attribute of attributes) members.set(attribute.key.text, attribute);
  return members.values();
}
