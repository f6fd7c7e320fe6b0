/** Readable query strings in which every parameter is plain text. */

export type Search = Readonly<Record<string, string>>;

/** Characters that need no escape and improve readability. */
const readable = /%(?:3A|2C|2F|40|24|3C|3E|3D|7C|5B|5D|28|29|27|21|2A|3B|3F)/g;

const formatSearch = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll(readable, (escape) => decodeURIComponent(escape))
    .replaceAll('%20', '+');

export function readSearch(text: string): Search {
  const found: Record<string, string> = {};
  // The first of a repeated parameter counts; the console never writes a second.
  for (const [name, value] of new URLSearchParams(text)) found[name] ??= value;
  return found;
}

/** With `?`, or empty. */
export function writeSearch(search: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(search)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${formatSearch(name)}=${formatSearch(String(value))}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
