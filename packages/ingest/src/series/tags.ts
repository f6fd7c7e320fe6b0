/** Tags as they are stored: the name, and a letter for the type with the text of the value. */
export type StoredTags = ReadonlyMap<string, string>;

/** Text of a float tag. */
export const floatTag = (value: number): string =>
  `f${value === Infinity ? 'inf' : value === -Infinity ? '-inf' : String(value)}`;

export const stringTag = (value: string): string => `s${value}`;

/** The stored form of a value in JSON; undefined for null, which is no tag. */
export function tagOfJson(json: string): string | undefined {
  switch (json[0]) {
    case 'n':
      return undefined;
    case 't':
      return 'b1';
    case 'f':
      return 'b0';
    case '"':
      return stringTag(JSON.parse(json) as string);
    case '[':
      return `a${JSON.stringify((JSON.parse(json) as readonly unknown[]).map(elementOf))}`;
    case '{':
      return stringTag(json);
    default:
      return /[.eE]/.test(json) ? floatTag(Number(json)) : `i${json}`;
  }
}

function elementOf(value: unknown): string {
  if (typeof value === 'number' && !Number.isInteger(value)) return floatTag(value);
  return tagOfJson(JSON.stringify(value)) ?? stringTag('');
}
