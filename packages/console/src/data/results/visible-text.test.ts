import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { textParts, visibleText } from './visible-text.js';

it.each([
  ['plain', 'plain'],
  ['user\u202egpj.exe', 'user⟨RLO⟩gpj.exe'],
  ['\u2066a\u2069', '⟨LRI⟩a⟨PDI⟩'],
  ['nul\u0000', 'nul⟨U+0000⟩'],
  ['tab\tand\nline', 'tab\tand\nline'],
  // Text in right-to-left scripts and joined emoji needs no control character.
  ['שלום 👩‍👩‍👧', 'שלום 👩‍👩‍👧'],
])('%j is shown as %j', (text, shown) => expect(visibleText(text)).toBe(shown));

it('names the character of each mark', () =>
  expect(textParts('a\u202eb')).toEqual([{ text: 'a' }, { text: 'RLO', code: 'U+202E' }, { text: 'b' }]));

it('no bidirectional control character remains, and no other text is lost', () => {
  const unit = fc.constantFrom('a', '\u202e', '\u2067', '\u200f', 'é', '\u061c');
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const parts = textParts(text);
      expect(visibleText(text)).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
      const rest = parts.filter(({ code }) => code === undefined).map((part) => part.text);
      expect(rest.join('')).toBe(text.replaceAll(/[^aé]/g, ''));
    }),
  );
});
