/**
 * Keys as the console writes them: `mod+Enter`, `shift+alt+F`, `g q`, `?`. `mod` is ⌘ on Apple's
 * machines and Ctrl elsewhere.
 */

const isApple = /Mac|iP(hone|ad)/.test(globalThis.navigator?.platform ?? '');

/** The name of a pressed key, with what is held: the form that commands are declared in. */
export function pressed(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): string {
  const mod = isApple ? event.metaKey : event.ctrlKey;
  const key = event.key === ' ' ? 'Space' : event.key;
  // With a character key, Shift is part of the character.
  const isCharacter = [...key].length === 1;
  const letter = isCharacter && (mod || event.altKey) ? key.toUpperCase() : key;
  const shifted = event.shiftKey && (!isCharacter || mod || event.altKey);
  return [mod && 'mod', event.altKey && 'alt', shifted && 'shift', letter].filter(Boolean).join('+');
}

const signs: Readonly<Record<string, string>> = isApple
  ? { mod: '⌘', alt: '⌥', shift: '⇧', Enter: '↵', Escape: 'esc', ArrowUp: '↑', ArrowDown: '↓' }
  : { mod: 'Ctrl', alt: 'Alt', shift: 'Shift', Enter: '↵', Escape: 'Esc', ArrowUp: '↑', ArrowDown: '↓' };

/** Keys as a person reads them, one text for each that is pressed in turn. */
export const keyCaps = (keys: string): readonly string[] =>
  keys.split(' ').map((chord) =>
    chord
      .split(/\+(?=.)/)
      .map((each) => signs[each] ?? (each.length === 1 && chord.length > 1 ? each.toUpperCase() : each))
      .join(isApple ? '' : '+'),
  );

/** Whether the element takes text: keys without ⌘, Ctrl or Alt belong to it. */
export const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type)) ||
    target instanceof HTMLSelectElement);

/** Whether Enter and Space press the element. */
export const isPressable = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button,a[href],summary,input,[role=button],[role=link]') !== null;
