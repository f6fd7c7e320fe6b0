import { expect, it } from 'vitest';
import { keyCaps, pressedKeys } from './keys.js';

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

it.each([
  ['j', { key: 'j' }],
  ['?', { key: '?', shiftKey: true }],
  ['mod+K', { key: 'k', ctrlKey: true }],
  ['mod+Enter', { key: 'Enter', ctrlKey: true }],
  ['alt+shift+F', { key: 'F', altKey: true, shiftKey: true }],
  ['Space', { key: ' ' }],
  ['shift+ArrowDown', { key: 'ArrowDown', shiftKey: true }],
])('%s', (name, event) => expect(pressedKeys({ ...plain, ...event })).toBe(name));

it('formats keys as on the keyboard', () => {
  expect(keyCaps('mod+K')).toEqual(['Ctrl+K']);
  expect(keyCaps('g q')).toEqual(['g', 'q']);
  expect(keyCaps('+')).toEqual(['+']);
});
