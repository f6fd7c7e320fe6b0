/** Compares answers of two versions, value by value. */

type Step = string | number;

/** Where two answers differ: the request, then the properties, with `[]` for items of lists. */
export function differences(before: unknown, after: unknown, at = ''): readonly string[] {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, i) => differences(item, after[i], `${at}[]`));
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => differences(before[key], after[key], join(at, key)));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [at];
}

const join = (at: string, key: Step): string => (at === '' ? String(key) : `${at}.${key}`);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
