/** Values as Go prints them. */

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function goText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return numberText(value);
    case 'boolean':
      return String(value);
    case 'undefined':
      return '<no value>';
    default:
      if (value === null) return '<nil>';
      if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
      if (!isObject(value)) return String(value);
      return `map[${Object.keys(value)
        .toSorted()
        .map((name) => `${name}:${goText(value[name])}`)
        .join(' ')}]`;
  }
}

/** The shortest digits; an exponent below 1e-4 and from 1e21 on, of at least two digits. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e21))
    return value.toExponential().replace(/e([+-])(\d)$/, (_, sign: string, digit: string) => `e${sign}0${digit}`);
  return String(value);
}

/** Go's truth: nil, zero and empty values are false. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== '' && value !== 0 && value !== false;
}

/** A quoted string as in Go: JSON, except for nonprintable characters. */
export const quoteText = (text: string): string => JSON.stringify(text);
