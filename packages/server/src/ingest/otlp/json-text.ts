import { floatText, TOO_LONG } from '@millrace/events';
import type { Attribute } from './messages.js';

/** Values as texts of JSON, which is what the events of a body are written in before they become columns. */

/** Stands for a string that would not be kept anyhow, and so is not even read. */
export const tooLongText = JSON.stringify(TOO_LONG);

/** A double. JSON has no way to write what is no number and no end: its name, as in the JSON of protobuf, so that nothing is lost. */
export const doubleText = (value: number): string =>
  Number.isInteger(value) ? floatText(value) : Number.isFinite(value) ? String(value) : `"${value}"`;

export const arrayText = (values: readonly string[]): string => `[${values.join(',')}]`;

/** An object of attributes; the last of a key counts, where nobody behind would see to it. */
export function objectText(attributes: readonly Attribute[]): string {
  const members = new Map<string, string>();
  for (const { key, value } of attributes) members.set(key, value);
  let text = '';
  for (const [key, value] of members) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${value}`;
  return `{${text}}`;
}
