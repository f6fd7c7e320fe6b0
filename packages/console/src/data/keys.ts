/**
 * Key notation: `mod+Enter`, `shift+alt+F`, `g q`, `?`. `mod` is ⌘ on Apple devices and Ctrl
 * elsewhere.
 */

const isApple = /Mac|iP(hone|ad)/.test(globalThis.navigator?.platform ?? '');

/** Notation of a key event, as commands declare it. */
export function pressedKeys(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): string {
  const mod = isApple ? event.metaKey : event.ctrlKey;
  const key = event.key === ' ' ? 'Space' : event.key;
  // Shift is part of a character key.
  const isCharacter = [...key].length === 1;
  const letter = isCharacter && (mod || event.altKey) ? key.toUpperCase() : key;
  const shifted = event.shiftKey && (!isCharacter || mod || event.altKey);
  return [mod && 'mod', event.altKey && 'alt', shifted && 'shift', letter].filter(Boolean).join('+');
}

const signs: Readonly<Record<string, string>> = isApple
  ? { mod: '⌘', alt: '⌥', shift: '⇧', Enter: '↵', Escape: 'esc', ArrowUp: '↑', ArrowDown: '↓' }
  : { mod: 'Ctrl', alt: 'Alt', shift: 'Shift', Enter: '↵', Escape: 'Esc', ArrowUp: '↑', ArrowDown: '↓' };

/** Keys for display, one string per key of a sequence. */
export const keyCaps = (keys: string): readonly string[] =>
  keys.split(' ').map((chord) =>
    chord
      .split(/\+(?=.)/)
      .map((each) => signs[each] ?? (each.length === 1 && chord.length > 1 ? each.toUpperCase() : each))
      .join(isApple ? '' : '+'),
  );

/** Whether the element takes text: keys without ⌘, Ctrl or Alt go to it. */
export const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type)) ||
    target instanceof HTMLSelectElement);

/** Whether Enter and Space activate the element. */
export const isPressable = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button,a[href],summary,input,[role=button],[role=link]') !== null;
