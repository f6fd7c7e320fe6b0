/**
 * Words and signs that continue steps in other languages, and what to write instead. Errors about
 * unexpected input end with it.
 */
export const foreignClauses: ReadonlyMap<string, string> = new Map([
  ['group', 'groups follow by, as in summarize count() by a'],
  ['by', 'groups belong to summarize, as in summarize count() by a; words of the language are in lower case'],
  ['exists', 'isnotnull(a) tells whether there is a value'],
  ['having', 'write | where … behind the summarize'],
  ['over', 'bins of time are groups: by bin(_time, 5m)'],
  ['every', 'bins of time are groups: by bin(_time, 5m)'],
  ['interval', 'bins of time are groups: by bin(_time, 5m)'],
  ['filter', 'write countif(condition) or sumif(value, condition)'],
  ['offset', 'rows cannot be skipped: sort, and ask only for those behind the last one with where'],
  ['using', 'the columns to match follow on, as in on a, b'],
  ['when', 'a choice is written case(condition, value, …, otherwise)'],
  ['except', 'project-away leaves columns out'],
  ['all', 'union keeps all rows'],
  ['as', 'a conversion is written toint(a) or tostring(a), and a column is named before its value: b = a'],
  [':', 'names are followed by =, as in b = a, conversions are toint(a), tostring(a), and a:"b" stands in search only'],
  [',', 'several values are a list behind in, has_any or has_all, and several conditions are joined by and'],
  ['{', 'conditions stand in where: [\'dataset\'] | where a == "b"'],
  ['[', 'conditions stand in where: [\'dataset\'] | where a == "b"'],
  ['(', 'there are no methods, as functions are called as f(a); elsewhere a comma or a | is missing'],
  ['/', 'paths and regular expressions are texts in quotes, as in a matches regex "…"'],
  ...['<', '<=', '>', '>=', '==', '!='].map(
    (sign) => [sign, 'each comparison needs both its sides: a >= 1 and a < 9'] as const,
  ),
]);
