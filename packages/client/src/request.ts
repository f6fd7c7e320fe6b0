import { JsonText } from './json-text.js';

/** Turns a request for an operation into one of HTTP, by the table of operations. */

/** The parts that a request can have; `Operations` says which it has, and of what types. */
export interface Parts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/**
 * The path with its parameters, and the query string.
 * @throws TypeError for a parameter that no path can carry: in URLs `.` and `..` are steps, and an
 * empty one makes the path shorter
 */
export function targetOf(path: string, { params = {}, query = {} }: Parts): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(params[name] ?? '');
    if (['', '.', '..'].includes(text)) throw new TypeError(`${name}: '${text}' cannot be a part of the path ${path}`);
    return encodeURIComponent(text);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    // A list becomes a repeated parameter.
    for (const each of [value].flat()) if (each !== undefined) search.append(name, String(each));
  }
  const text = search.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

/**
 * Headers and body: bytes and text unchanged if the operation takes bytes, else JSON.
 * @throws TypeError for a header that cannot be sent
 */
export function contentOf({ headers = {}, body }: Parts, takesBytes: boolean): Pick<RequestInit, 'headers' | 'body'> {
  const entries = Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined);
  const given = sendable(Object.fromEntries(entries));
  if (body === undefined) return { headers: given };
  if (takesBytes) return { headers: given, body: body as Uint8Array<ArrayBuffer> | string };
  return {
    headers: { 'content-type': 'application/json', ...given },
    body: body instanceof JsonText ? body.text : JSON.stringify(body),
  };
}

/** White space of ASCII at the ends of a value is left out when it is sent. */
const sendableValue = /^[\t\n\r ]*[\t\u0020-\u007E\u0080-\u00FF]*[\t\n\r ]*$/;

/**
 * Headers whose values can be sent.
 * @throws TypeError that names the header and not its value, as that of `fetch` does: it may be a
 * token
 */
export function sendable<H extends Readonly<Record<string, string>>>(headers: H): H {
  for (const [name, value] of Object.entries(headers))
    if (!sendableValue.test(value)) throw new TypeError(`header '${name}' has a character that no header can have`);
  return headers;
}
