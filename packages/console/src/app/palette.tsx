import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState, type KeyboardEvent } from 'react';
import { useCatalog } from '../data/catalog.js';
import { commandsStore } from '../data/commands.js';
import { keyCaps } from '../data/keys.js';
import { setPreferences, usePreferences } from '../data/preferences.js';
import { useStore } from '../data/store.js';
import { cx } from '../widgets/class-names.js';
import { Dialog } from '../widgets/overlays/dialog.js';
import field from '../widgets/inputs/field.module.css';
import { entriesFor, type PaletteEntry } from './palette-entries.js';
import { usePaletteItems, useRecentQueries } from './palette-items.js';
import styles from './palette.module.css';

/** Shown entries; typing narrows them. */
const MAX_SHOWN = 40;
/** Remembered uses. */
const MAX_USED = 100;

/** `⌘K`: pages, datasets, fields, commands, and interpretations of the typed text. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const commands = useStore(commandsStore);
  const catalog = useCatalog();
  const items = usePaletteItems();
  const recent = useRecentQueries();
  const { usedEntries } = usePreferences();
  const navigate = useNavigate();
  const entries = useMemo(
    () =>
      entriesFor(
        text,
        {
          commands,
          items,
          recent,
          used: usedEntries,
          catalog,
          open: (to, search) => void navigate({ to: to as string, search: search as never }),
        },
        MAX_SHOWN,
      ),
    [text, commands, items, recent, usedEntries, catalog, navigate],
  );
  const run = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    setPreferences({ usedEntries: [entry.id, ...usedEntries].slice(0, MAX_USED) });
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((at + step + entries.length) % Math.max(1, entries.length));
    else if (event.key === 'Enter') run(entries[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search and commands" open onClose={onClose} wide>
      <input
        className={cx(field.input, styles.input)}
        role="combobox"
        aria-label="Search or run a command"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={entries[at] === undefined ? undefined : `palette-${at}`}
        aria-autocomplete="list"
        placeholder="Page, dashboard, monitor, dataset, field, recent query, command or trace ID"
        spellCheck={false}
        autoComplete="off"
        // The dialog is for typing.
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="palette-list" role="listbox" aria-label="Matches" className={styles.list}>
        {entries.map((entry, index) => (
          <li
            key={entry.id}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            ref={index === at ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
            className={cx(styles.entry, index === at && styles.at)}
            onPointerMove={() => setAt(index)}
            onClick={() => run(entry)}
          >
            <span className={styles.group}>{entry.group}</span>
            <span className={styles.title}>{entry.title}</span>
            {entry.keys !== undefined && <span className={styles.keys}>{keyCaps(entry.keys).join(' ')}</span>}
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p className={styles.none}>No matches</p>}
    </Dialog>
  );
}
