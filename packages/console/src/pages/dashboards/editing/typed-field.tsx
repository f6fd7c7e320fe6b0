import { useEffect, useRef, useState } from 'react';
import { TextField } from '../../../widgets/inputs/text-field.js';

/** Commits on blur: otherwise each character would be an undo step. */
export function TypedField({
  label,
  value,
  onChange,
  lines,
  mono = false,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly lines?: number | undefined;
  readonly mono?: boolean;
}) {
  const [typed, setTyped] = useState(value);
  // Reflects undo and other changes.
  useEffect(() => setTyped(value), [value]);
  const commit = (): void => {
    if (typed !== value) onChange(typed);
  };
  // Closing the editor commits the typed text; undo reverts it.
  const latest = useRef(commit);
  latest.current = commit;
  useEffect(() => () => latest.current(), []);
  return (
    <TextField
      label={label}
      value={typed}
      onChange={setTyped}
      onBlur={commit}
      mono={mono}
      {...(lines === undefined ? { onKeyDown: (event) => event.key === 'Enter' && commit() } : { lines })}
    />
  );
}
