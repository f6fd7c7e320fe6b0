import { expect, test } from 'vitest';
import { shortenedText } from './limits.js';
import { rows } from './testing/encode.js';

test('a string over the limit keeps its beginning, and says how long it was', () => {
  expect(rows('{"a":"12345","b":"123456"}', { limits: { maxValueBytes: 5 } })).toEqual([
    { 'a#s': '12345', 'b#s': '<invalid string: too long, 6 bytes>' },
  ]);
  expect(rows(`{"a":"${'x'.repeat(100)}"}`, { limits: { maxValueBytes: 40 } })).toEqual([
    { 'a#s': 'xxx<invalid string: too long, 100 bytes>' },
  ]);
});
test.each(['é€𝄞x', '\\n\\u00e9', 'x'])('characters stay whole: %s', (part) => {
  const json = `"${part.repeat(30)}"`;
  const text = Buffer.from(JSON.parse(json) as string);
  for (let maxValueBytes = 34; maxValueBytes < text.length; maxValueBytes++)
    expect(rows(`{"a":${json}}`, { limits: { maxValueBytes } })).toEqual([
      { 'a#s': shortenedText(text, maxValueBytes).toString() },
    ]);
});
test('an array over the limit becomes the beginning of its JSON', () => {
  expect(rows('{"a":[1,2,3],"b":[1]}', { limits: { maxValueBytes: 5 } })).toEqual([
    { 'a#s': '<invalid string: too long, 7 bytes>', 'b#j': '[1]' },
  ]);
  const list = JSON.stringify(Array.from({ length: 50 }, () => 1));
  expect(rows(`{"a":${list}}`, { limits: { maxValueBytes: 50 } })).toEqual([
    { 'a#s': `${list.slice(0, 13)}<invalid string: too long, 101 bytes>` },
  ]);
});
test('the default is one megabyte', () => {
  const fits = 'x'.repeat(1_000_000);
  expect(rows(`{"a":"${fits}","b":"${fits}y"}`)).toEqual([
    { 'a#s': fits, 'b#s': `${fits.slice(0, 1_000_000 - 41)}<invalid string: too long, 1000001 bytes>` },
  ]);
});
