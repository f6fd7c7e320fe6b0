/** A `Content-Type` without its parameters, in lower case. */
export const mediaTypeOf = (contentType: string): string => contentType.replace(/;.*$/s, '').trim().toLowerCase();

/** A parameter of a `Content-Type`, in lower case. */
export const parameterOf = (contentType: string, name: string): string | undefined =>
  new RegExp(`;\\s*${name}\\s*=\\s*"?([^";\\s]*)`, 'i').exec(contentType)?.[1]?.toLowerCase();

/**
 * What programs send that take the name of a format for its type, such as the command of
 * `@axiomhq/ai`.
 */
const formats: ReadonlyMap<string, string> = new Map([
  ['json', 'application/json'],
  ['ndjson', 'application/x-ndjson'],
  ['csv', 'text/csv'],
]);

/**
 * A `Content-Type` as it was meant: the type of a format of which only the name was sent,
 * `undefined` if it is empty, otherwise as it is.
 */
export const meantContentType = (contentType: string): string | undefined =>
  contentType.trim() === '' ? undefined : (formats.get(mediaTypeOf(contentType)) ?? contentType);
