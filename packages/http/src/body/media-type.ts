/** A `Content-Type` without its parameters, in lower case. */
export const mediaTypeOf = (contentType: string): string => contentType.replace(/;.*$/s, '').trim().toLowerCase();

/** A parameter of a `Content-Type`, in lower case. */
export const parameterOf = (contentType: string, name: string): string | undefined =>
  new RegExp(`;\\s*${name}\\s*=\\s*"?([^";\\s]*)`, 'i').exec(contentType)?.[1]?.toLowerCase();

/**
 * Media types by the format name that some programs send instead, such as the command of
 * `@axiomhq/ai`.
 */
const formats: ReadonlyMap<string, string> = new Map([
  ['json', 'application/json'],
  ['ndjson', 'application/x-ndjson'],
  ['csv', 'text/csv'],
]);

/**
 * Normalizes a `Content-Type`: a bare format name becomes its media type, an empty value
 * `undefined`; others stay unchanged.
 */
export const effectiveContentType = (contentType: string): string | undefined =>
  contentType.trim() === '' ? undefined : (formats.get(mediaTypeOf(contentType)) ?? contentType);
