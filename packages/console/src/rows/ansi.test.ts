import { expect, it } from 'vitest';
import { styledText } from './ansi.js';

it.each([
  ['plain', [{ text: 'plain' }]],
  ['\u001b[31mred\u001b[0m not', [{ text: 'red', color: 'red' }, { text: ' not' }]],
  [
    '\u001b[1;32mboth\u001b[39mbold',
    [
      { text: 'both', color: 'green', bold: true },
      { text: 'bold', bold: true },
    ],
  ],
  // Moving the cursor, clearing the screen and naming the window have no effect.
  ['a\u001b[2J\u001b[1;1H\u001b]0;title\u0007b', [{ text: 'a' }, { text: 'b' }]],
  ['cut \u001b[3', [{ text: 'cut \u001b[3' }]],
])('%j', (text, parts) => expect(styledText(text)).toEqual(parts));
