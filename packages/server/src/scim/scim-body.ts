import { httpError } from '@millrace/api/errors';

/** Reading of SCIM bodies: names of attributes have no case, and Entra sends booleans as texts. */

type ScimObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is ScimObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws HttpError `invalid-request` */
export function objectIn(value: unknown): ScimObject {
  if (!isObject(value)) throw httpError('invalid-request', { problem: 'the body must be a JSON object' });
  return value;
}

export function memberOf(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined;
  const found = Object.keys(value).find((key) => key.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : value[found];
}

/** @throws HttpError `invalid-request` for a value that is no text, or a long one */
export function textOf(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > longestText)
    throw httpError('invalid-request', { problem: `'${name}' must be a string of at most ${longestText} characters` });
  return value;
}

const longestText = 256;

/** @throws HttpError `invalid-request` */
export function booleanOf(value: unknown, name: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  const text = String(value).toLowerCase();
  if (text !== 'true' && text !== 'false')
    throw httpError('invalid-request', { problem: `'${name}' must be true or false` });
  return text === 'true';
}

/** The primary value of a list such as `emails`, or else its first. */
export function primaryIn(list: unknown): unknown {
  if (!Array.isArray(list)) return undefined;
  const primary = list.find((each) => booleanOf(memberOf(each, 'primary'), 'primary') === true) ?? list[0];
  return memberOf(primary, 'value');
}
