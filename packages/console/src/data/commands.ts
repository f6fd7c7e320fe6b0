import { useEffect, useRef } from 'react';
import { isPressable, pressedKeys, takesText } from './keys.js';
import { createStore, type Store } from './store.js';
import { currentPreferences } from './preferences.js';

/** A command for keyboard and palette. Pages declare theirs with `useCommands`. */
export interface Command {
  /** Unique: `query.run`. */
  readonly id: string;
  readonly title: string;
  /** Section in the list of keyboard shortcuts. */
  readonly group: string;
  /** Format of `keys.ts`; any of them runs it. */
  readonly keys?: readonly string[];
  readonly run: () => void;
  /** Keyboard only; not in the palette, such as moving to the next row. */
  readonly onlyKeys?: boolean;
  /** Also works in text fields; keys with `mod` always do. */
  readonly whileTyping?: boolean;
  /** Never works in text fields, where its keys edit text, such as undo. */
  readonly yieldsToText?: boolean;
}

/** In order of registration; of two with the same keys the last one runs. */
export const commandsStore: Store<readonly Command[]> = createStore<readonly Command[]>([]);

/** Registers commands while the component is mounted. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  const shape = commands.map(({ id, title, keys }) => `${id} ${title} ${keys?.join(',') ?? ''}`).join('\n');
  useEffect(() => {
    // Runs the commands of the latest render without registering them again on each render.
    const mine = latest.current.map((command, index) => ({ ...command, run: () => latest.current[index]?.run() }));
    commandsStore.set([...commandsStore.get(), ...mine]);
    return () => commandsStore.set(commandsStore.get().filter((each) => !mine.includes(each)));
  }, [shape]);
}

/** Maximum delay of the second key of `g q`. */
const CHORD_MILLISECONDS = 1200;

/** Handles keyboard shortcuts; returns a function to stop. */
export function listenForKeys(target: Pick<Window, 'addEventListener' | 'removeEventListener'>): () => void {
  let before: { readonly key: string; readonly at: number } | undefined;
  const listener = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const key = pressedKeys(event);
    if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
    const typing = takesText(event.target);
    const isLetter = !/^(mod|alt)\+/.test(key);
    // An open dialog or menu receives all keys.
    const inside = event.target instanceof Element && event.target.closest('[role=dialog],[role=menu],[role=listbox]');
    const chord =
      before !== undefined && event.timeStamp - before.at < CHORD_MILLISECONDS ? `${before.key} ${key}` : key;
    // A focused control receives the keys that activate it.
    const presses = (key === 'Enter' || key === 'Space') && isPressable(event.target);
    const isAllowed = (command: Command): boolean => {
      if (typing && command.yieldsToText === true) return false;
      if (!isLetter) return true;
      if (presses) return false;
      if (inside) return false;
      if (typing) return command.whileTyping === true;
      return key.length > 1 || currentPreferences().letterKeys;
    };
    const byKey = (wanted: string): Command | undefined =>
      commandsStore.get().findLast((each) => each.keys?.includes(wanted) === true && isAllowed(each));
    // `g s` opens Server even where `s` alone is a command.
    const found = byKey(chord) ?? byKey(key);
    before = found === undefined && !typing ? { key, at: event.timeStamp } : undefined;
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  };
  target.addEventListener('keydown', listener as EventListener);
  return () => target.removeEventListener('keydown', listener as EventListener);
}
