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
 * @throws TypeError for a parameter that no path can carry: in URLs `.` and `..` are steps, and an empty one makes the path shorter
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

/** Headers and body: bytes and text unchanged if the operation takes bytes, else JSON. */
export function contentOf({ headers = {}, body }: Parts, takesBytes: boolean): Pick<RequestInit, 'headers' | 'body'> {
  const given = Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined);
  if (body === undefined) return { headers: Object.fromEntries(given) };
  if (takesBytes) return { headers: Object.fromEntries(given), body: body as Uint8Array<ArrayBuffer> | string };
  return { headers: { 'content-type': 'application/json', ...Object.fromEntries(given) }, body: JSON.stringify(body) };
}
