/** A `Content-Type` without its parameters, in lower case. */
export const mediaTypeOf = (contentType: string): string => contentType.replace(/;.*$/s, '').trim().toLowerCase();

/** A parameter of a `Content-Type`, in lower case. */
export const parameterOf = (contentType: string, name: string): string | undefined =>
  new RegExp(`;\\s*${name}\\s*=\\s*"?([^";\\s]*)`, 'i').exec(contentType)?.[1]?.toLowerCase();
