/**
 * The JSON text of a float: always with a point or an exponent, so that it is read back as a float.
 */
export function floatText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
