import { useEffect, useRef } from 'react';
import { isPressable, pressed, takesText } from './keys.js';
import { createStore, type Store } from './store.js';
import { taste } from './taste.js';

/**
 * Something a person can do by key or from the palette. Pages declare theirs with `useCommands`.
 */
export interface Command {
  /** Unique: `query.run`. */
  readonly id: string;
  readonly title: string;
  /** Where the sheet of keys lists it. */
  readonly group: string;
  /** As in `keys.ts`; any of them runs it. */
  readonly keys?: readonly string[];
  readonly run: () => void;
  /** Keys only: too small for the palette, such as going to the next row. */
  readonly onlyKeys?: boolean;
  /** Works while a text is typed too; keys with `mod` always do. */
  readonly whileTyping?: boolean;
  /**
   * Not while a text is typed, whatever its keys: there they do the same to the text, such as undo.
   */
  readonly yieldsToText?: boolean;
}

/** In the order in which their pages came; of two with the same keys the last one runs. */
export const commandsStore: Store<readonly Command[]> = createStore<readonly Command[]>([]);

/** Offers commands as long as the component is there. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  const shape = commands.map(({ id, title, keys }) => `${id} ${title} ${keys?.join(',') ?? ''}`).join('\n');
  useEffect(() => {
    // Those of the latest render run, without every render announcing all of them again.
    const mine = latest.current.map((command, index) => ({ ...command, run: () => latest.current[index]?.run() }));
    commandsStore.set([...commandsStore.get(), ...mine]);
    return () => commandsStore.set(commandsStore.get().filter((each) => !mine.includes(each)));
  }, [shape]);
}

/** How long the second key of `g q` may take. */
const CHORD_MILLISECONDS = 1200;

/** Runs commands by their keys; returns how to stop. */
export function listenForKeys(target: Pick<Window, 'addEventListener' | 'removeEventListener'>): () => void {
  let before: { readonly key: string; readonly at: number } | undefined;
  const listener = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const key = pressed(event);
    if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
    const typing = takesText(event.target);
    const isLetter = !/^(mod|alt)\+/.test(key);
    // An open dialog or menu has the keyboard to itself.
    const inside = event.target instanceof Element && event.target.closest('[role=dialog],[role=menu],[role=listbox]');
    const chord =
      before !== undefined && event.timeStamp - before.at < CHORD_MILLISECONDS ? `${before.key} ${key}` : key;
    // A control that has the focus takes the keys that press it.
    const presses = (key === 'Enter' || key === 'Space') && isPressable(event.target);
    const allowed = (command: Command): boolean => {
      if (typing && command.yieldsToText === true) return false;
      if (!isLetter) return true;
      if (presses) return false;
      if (inside) return false;
      if (typing) return command.whileTyping === true;
      return key.length > 1 || taste().letterKeys;
    };
    const byKey = (wanted: string): Command | undefined =>
      commandsStore.get().findLast((each) => each.keys?.includes(wanted) === true && allowed(each));
    // `g s` leads to Server also where `s` alone does something else.
    const found = byKey(chord) ?? byKey(key);
    before = found === undefined && !typing ? { key, at: event.timeStamp } : undefined;
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  };
  target.addEventListener('keydown', listener as EventListener);
  return () => target.removeEventListener('keydown', listener as EventListener);
}
