import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { textOf } from '../../../data/answers/cells.js';
import type { RowSource } from '../../../rows/row-source.js';
import { IconButton } from '../../../widgets/inputs/button.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import styles from '../query.module.css';

/** Rows looked through at once, so that typing goes on meanwhile. */
const SLICE_ROWS = 1000;

/** Finds a text in all rows that are loaded, not only in those in view as the browser would. */
export function FindBar({
  source,
  active,
  onRow,
  onClose,
}: {
  readonly source: RowSource;
  readonly active: number | undefined;
  readonly onRow: (row: number) => void;
  readonly onClose: () => void;
}) {
  const [text, setText] = useState('');
  const { found, done } = useFound(source, text);
  const go = (by: 1 | -1): void => {
    const from = active ?? -1;
    const next =
      by === 1 ? (found.find((row) => row > from) ?? found[0]) : (found.findLast((row) => row < from) ?? found.at(-1));
    if (next !== undefined) onRow(next);
  };
  return (
    <div className={styles.strip} role="search" aria-label="Find in the loaded rows">
      <TextField
        label="Find in the loaded rows"
        bare
        autoFocus
        value={text}
        onChange={setText}
        placeholder="Find in all loaded rows"
        onKeyDown={(event) => {
          if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') onClose();
          else return;
          event.preventDefault();
        }}
      />
      <span role="status">
        {text === ''
          ? ''
          : `${found.length.toLocaleString('en')} of ${source.rows.toLocaleString('en')} rows${done ? '' : ' so far'}`}
      </span>
      <IconButton small label="Match before" onPress={() => go(-1)}>
        <ChevronUp />
      </IconButton>
      <IconButton small label="Next match" onPress={() => go(1)}>
        <ChevronDown />
      </IconButton>
      <IconButton small label="Close" onPress={onClose}>
        <X />
      </IconButton>
    </div>
  );
}

interface Found {
  readonly found: readonly number[];
  readonly done: boolean;
}

const nothing: Found = { found: [], done: true };

function useFound(source: RowSource, text: string): Found {
  const [state, setState] = useState(nothing);
  useEffect(() => {
    if (text === '') {
      setState(nothing);
      return undefined;
    }
    const wanted = text.toLowerCase();
    const fields = source.fields.slice(0, 300).map(({ name }) => name);
    let timer = 0;
    const found: number[] = [];
    const slice = (from: number): void => {
      const to = Math.min(source.rows, from + SLICE_ROWS);
      for (let row = from; row < to; row++)
        if (fields.some((name) => textOf(source.cell(row, name)).toLowerCase().includes(wanted))) found.push(row);
      setState({ found: [...found], done: to === source.rows });
      if (to < source.rows) timer = window.setTimeout(() => slice(to));
    };
    slice(0);
    return () => clearTimeout(timer);
  }, [source, text]);
  return state;
}
