/** Paths of `json name="a.b[0]['c d']"`: members and places, from the outside in. */
export type JsonPath = readonly (string | number)[];

const step = /\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\s*\]/y;

/** @returns undefined for a text that is no path */
export function jsonPathOf(text: string): JsonPath | undefined {
  const path: (string | number)[] = [];
  const trimmed = text.trim();
  for (let at = 0; at < trimmed.length; at = step.lastIndex) {
    step.lastIndex = at;
    const match = step.exec(trimmed);
    if (match === null || (at === 0 && trimmed.startsWith('.'))) return undefined;
    const [, name, place, double, single] = match;
    path.push(place === undefined ? (name ?? (double ?? single)!.replaceAll(/\\(.)/g, '$1')) : Number(place));
  }
  return path.length === 0 ? undefined : path;
}
