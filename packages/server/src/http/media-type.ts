/** A `Content-Type` without its parameters, in lower case. */
export const mediaTypeOf = (contentType: string): string => contentType.replace(/;.*$/s, '').trim().toLowerCase();
