import { useState } from 'react';
import { Button } from '../../../widgets/inputs/button.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import styles from '../dashboard.module.css';

/** Editor for a part of the document as JSON. */
export function JsonField({
  label,
  value,
  lines,
  problemOf,
  onChange,
}: {
  readonly label: string;
  readonly value: unknown;
  readonly lines: number;
  /** Why a value is invalid; undefined if valid. */
  readonly problemOf: (value: unknown) => string | undefined;
  readonly onChange: (value: unknown) => void;
}) {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const { parsed, problem } = read(text, problemOf);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined) onChange(parsed);
      }}
    >
      <TextField label={label} value={text} onChange={setText} lines={lines} mono problem={problem} />
      <div className={styles.row}>
        <Button type="submit" kind="primary" disabled={problem !== undefined}>
          Apply
        </Button>
      </div>
    </form>
  );
}

function read(text: string, problemOf: (value: unknown) => string | undefined) {
  try {
    const parsed: unknown = JSON.parse(text);
    return { parsed, problem: problemOf(parsed) };
  } catch (error) {
    return { parsed: undefined, problem: error instanceof Error ? error.message : String(error) };
  }
}
