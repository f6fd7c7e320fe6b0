/**
 * A time as programs in Go print it: `2024-06-28 14:55:57.631 +0000 UTC`, without a fraction that
 * is zero.
 */
export function goTime(rfc3339: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/.exec(rfc3339);
  if (match === null) return rfc3339;
  const [, date = '', time = '', digits = ''] = match;
  const fraction = digits.replace(/0+$/, '');
  return `${date} ${time}${fraction === '' ? '' : `.${fraction}`} +0000 UTC`;
}
