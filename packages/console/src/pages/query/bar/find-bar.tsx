import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { countText } from '../../../data/format-units.js';
import { CUT_AT, textOf } from '../../../data/results/cells.js';
import type { RowSource } from '../../../rows/row-source.js';
import { IconButton } from '../../../widgets/inputs/button.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import styles from '../query.module.css';

/** Duration of a search step, so that typing stays responsive. */
const SLICE_MILLISECONDS = 12;
const MIN_SLICE_ROWS = 20;

/** Whether a value of the row has the text, in any of its fields. */
export const rowHas = (source: RowSource, row: number, lower: string): boolean =>
  source.present(row).some(({ name }) => textOf(source.cell(row, name)).toLowerCase().includes(lower));

const hasCutValue = (source: RowSource, row: number): boolean =>
  source.present(row).some(({ name }) => {
    const cell = source.cell(row, name);
    return typeof cell === 'object' && cell !== null && cell.kind === 'long';
  });

/** Searches all loaded rows, not only the rendered ones like the browser. */
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
  const { found, done, cut } = useFound(source, text);
  const [first] = found;
  useEffect(() => {
    if (first !== undefined) onRow(first);
    // Only when the text finds another row: the user may have moved on.
  }, [first, text]);
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
          : `${found.length.toLocaleString('en')} of ${source.rows.toLocaleString('en')} rows${done ? '' : ' so far'}${cut ? `; long values up to ${countText(CUT_AT)} characters` : ''}`}
      </span>
      <IconButton small label="Previous match" onPress={() => go(-1)}>
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

interface FindResult {
  readonly found: readonly number[];
  readonly done: boolean;
  /** Some values are searched only at the beginning: the page does not have the rest. */
  readonly cut: boolean;
}

const nothing: FindResult = { found: [], done: true, cut: false };

function useFound(source: RowSource, text: string): FindResult {
  const [state, setState] = useState(nothing);
  useEffect(() => {
    if (text === '') {
      setState(nothing);
      return undefined;
    }
    const wanted = text.toLowerCase();
    let timer = 0;
    const found: number[] = [];
    let cut = false;
    const slice = (from: number): void => {
      const until = performance.now() + SLICE_MILLISECONDS;
      let to = from;
      while (to < source.rows && (to - from < MIN_SLICE_ROWS || performance.now() < until)) {
        if (rowHas(source, to, wanted)) found.push(to);
        cut ||= hasCutValue(source, to);
        to++;
      }
      setState({ found: [...found], done: to === source.rows, cut });
      if (to < source.rows) timer = window.setTimeout(() => slice(to));
    };
    slice(0);
    return () => clearTimeout(timer);
  }, [source, text]);
  return state;
}
