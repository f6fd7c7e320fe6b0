import { expect, it } from 'vitest';
import { isJournal, withTexts } from './journal-json.js';

const entry = (fields: string): string => `{"__CURSOR":"c","__REALTIME_TIMESTAMP":"1790000000000000",${fields}}\n`;

it.each([
  ['"MESSAGE":"plain"', '"MESSAGE":"plain"'],
  ['"MESSAGE":[27,91,49,109,195,164]', '"MESSAGE":"\\u001b[1mä"'],
  ['"A":["x",[104,105],null]', '"A":["x","hi",null]'],
  ['"A":[[104],[105]],"B":[]', '"A":["h","i"],"B":[]'],
  ['"A":[256],"B":["1"]', '"A":[256],"B":["1"]'],
  ['"A":[1,', '"A":[1,'],
])('%s', async (fields, expected) => {
  const bytes = Buffer.from(entry('"N":"1"') + entry(fields) + entry('"N":"2"').trimEnd());
  for (const size of [1, 50, 1000]) {
    let out = '';
    const pieces = (async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })();
    for await (const piece of withTexts(pieces)) out += Buffer.from(piece).toString();
    expect(out).toBe(entry('"N":"1"') + entry(expected) + entry('"N":"2"').trimEnd());
  }
});

it.each([
  [entry('"MESSAGE":"x"'), true],
  ['{"MESSAGE":"x"}\n', false],
  ['', false],
])('isJournal %j', (text, is) => expect(isJournal(text)).toBe(is));
