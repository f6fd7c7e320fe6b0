/** A request of an operation, whose form is in the table, as one of HTTP. */

/** The parts a request can have; which it has, and of what types, is in `Operations`. */
export interface Parts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/**
 * The path with its parameters, and the query string.
 * @throws TypeError for a parameter no path can carry: URLs take `.` and `..` for steps, and nothing for a shorter path
 */
export function targetOf(path: string, { params = {}, query = {} }: Parts): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(params[name] ?? '');
    if (['', '.', '..'].includes(text)) throw new TypeError(`${name}: '${text}' cannot be a part of the path ${path}`);
    return encodeURIComponent(text);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    // A list is a parameter that is repeated.
    for (const each of [value].flat()) if (each !== undefined) search.append(name, String(each));
  }
  const text = search.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

/** Headers and body: bytes and text as they are when the operation takes bytes, else JSON. */
export function contentOf({ headers = {}, body }: Parts, takesBytes: boolean): Pick<RequestInit, 'headers' | 'body'> {
  const given = Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined);
  if (body === undefined) return { headers: Object.fromEntries(given) };
  if (takesBytes) return { headers: Object.fromEntries(given), body: body as Uint8Array<ArrayBuffer> | string };
  return { headers: { 'content-type': 'application/json', ...Object.fromEntries(given) }, body: JSON.stringify(body) };
}
