/** Labels in JSON as `json` and `unpack` show them. */

/** The object that a text is; undefined for another text. */
export function jsonObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

const textOrNumber = /("(?:[^"\\]|\\.)*")|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** An object whose numbers are texts with the digits of the line. */
export const jsonWithDigits = (line: string): Readonly<Record<string, unknown>> | undefined =>
  jsonObject(line) && jsonObject(line.replaceAll(textOrNumber, (token, text?: string) => text ?? `"${token}"`));

/** Deeper objects are left out. */
const deepest = 32;

/** The labels of an object: names of members are joined by underscores, lists are left out. */
export function flatLabels(object: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const add = (value: Readonly<Record<string, unknown>>, before: string, depth: number): void => {
    for (const [key, member] of Object.entries(value)) {
      const name = before + labelName(key, before === '');
      if (typeof member === 'object' && member !== null) {
        if (!Array.isArray(member) && depth < deepest)
          add(member as Readonly<Record<string, unknown>>, `${name}_`, depth + 1);
      } else if (member !== null && !labels.has(name)) labels.set(name, String(member));
    }
  };
  add(object, '', 0);
  return labels;
}

export function labelName(key: string, isFirst = true): string {
  const name = key.trim().replaceAll(/[^A-Za-z0-9_]/g, '_');
  return isFirst && /^\d/.test(name) ? `_${name}` : name;
}
