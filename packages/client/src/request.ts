import { JsonText } from './json-text.js';

/** Converts requests of operations to HTTP, by the table of operations. */

/** Possible parts of a request; `Operations` determines which exist and their types. */
export interface Parts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/**
 * Path with parameters, and query string.
 * @throws TypeError for a parameter that no path can carry: `.` and `..` are path segments with a
 * meaning, and an empty one shortens the path
 */
export function targetOf(path: string, { params = {}, query = {} }: Parts): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(params[name] ?? '');
    if (['', '.', '..'].includes(text)) throw new TypeError(`${name}: '${text}' cannot be a part of the path ${path}`);
    return encodeURIComponent(text);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    // Lists become repeated parameters.
    for (const each of [value].flat()) if (each !== undefined) search.append(name, String(each));
  }
  const text = search.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

/**
 * Headers and body: verbatim if the operation takes bytes, otherwise JSON.
 * @throws TypeError for an invalid header
 */
export function contentOf({ headers = {}, body }: Parts, takesBytes: boolean): Pick<RequestInit, 'headers' | 'body'> {
  const entries = Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined);
  const given = checkHeaders(Object.fromEntries(entries));
  if (body === undefined) return { headers: given };
  if (takesBytes) return { headers: given, body: body as Uint8Array<ArrayBuffer> | string };
  return {
    headers: { 'content-type': 'application/json', ...given },
    body: body instanceof JsonText ? body.text : JSON.stringify(body),
  };
}

/** ASCII white space around a value is trimmed when sent. */
const sendableValue = /^[\t\n\r ]*[\t\u0020-\u007E\u0080-\u00FF]*[\t\n\r ]*$/;

/**
 * Checks header values.
 * @throws TypeError that names the header without its value, which may be a token
 */
export function checkHeaders<H extends Readonly<Record<string, string>>>(headers: H): H {
  for (const [name, value] of Object.entries(headers))
    if (!sendableValue.test(value)) throw new TypeError(`header '${name}' has a character that no header can have`);
  return headers;
}
