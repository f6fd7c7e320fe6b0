/** Look-alikes of the letters in built-in names. */
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
 * Visual skeleton of a name: lower case, without combining marks and invisible characters, with
 * look-alike letters of other scripts mapped to Latin.
 */
export const confusableSkeleton = (name: string): string =>
  [...name.normalize('NFKD').toLowerCase()]
    .filter((letter) => !/[\p{M}\p{Cf}\p{Cc}\p{White_Space}\p{Default_Ignorable_Code_Point}]/u.test(letter))
    .map((letter) => latin.get(letter) ?? letter)
    .join('');
