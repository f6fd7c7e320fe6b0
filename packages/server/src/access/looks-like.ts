/** Letters of other scripts that look like those of the names that are built in. */
const others: Readonly<Record<string, string>> = {
  a: 'аɑα',
  d: 'ԁ',
  e: 'еҽ',
  i: 'іıɩι',
  l: 'ӏіɩ',
  m: 'м',
  n: 'ոп',
  o: 'оοօ',
  r: 'гꭇ',
  s: 'ѕ',
  u: 'υս',
  w: 'ԝա',
  y: 'уү',
};
const latin = new Map(Object.entries(others).flatMap(([letter, texts]) => [...texts].map((text) => [text, letter])));

/**
 * A name as somebody sees it: small letters without what stands over or under them, without what
 * cannot be seen, and with letters of other scripts as those they look like.
 */
export const looksLike = (name: string): string =>
  [...name.normalize('NFKD').toLowerCase()]
    .filter((letter) => !/[\p{M}\p{Cf}\p{Cc}\p{White_Space}\p{Default_Ignorable_Code_Point}]/u.test(letter))
    .map((letter) => latin.get(letter) ?? letter)
    .join('');
