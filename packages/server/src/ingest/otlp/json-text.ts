import { floatText, TOO_LONG } from '@millrace/events';
import type { JsonBytes } from './json-bytes.js';
import type { Attribute } from './messages.js';

/** Values as JSON, which is what the events of a body are written in before they become columns. */

/** Stands for a string that would not be kept anyhow, and so is not even read. */
export const tooLongText = JSON.stringify(TOO_LONG);

/** A double. JSON has no way to write what is no number and no end: its name, as in the JSON of protobuf, so that nothing is lost. */
export const doubleText = (value: number): string =>
  Number.isInteger(value) ? floatText(value) : Number.isFinite(value) ? String(value) : `"${value}"`;

/** An object of attributes; the last of a key counts, where nobody behind would see to it. */
export function writeObject(out: JsonBytes, attributes: readonly Attribute[]): void {
  let before = '{';
  for (const attribute of hasRepeats(attributes) ? lastOfEach(attributes) : attributes) {
    out.ascii(before);
    out.bytes(attribute.key.plain);
    out.piece(attribute.in, attribute);
    before = ',';
  }
  out.ascii(before === '{' ? '{}' : '}');
}

/** Makes an object of the values that were written to `pieces` from `start` on; it stands there in their place. */
export function replaceByObject(pieces: JsonBytes, start: number, attributes: readonly Attribute[]): void {
  const valuesEnd = pieces.length;
  writeObject(pieces, attributes);
  pieces.remove(start, valuesEnd);
}

/** So few are compared with each other. */
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
