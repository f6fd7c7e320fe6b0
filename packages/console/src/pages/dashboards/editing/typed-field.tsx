import { useEffect, useRef, useState } from 'react';
import { TextField } from '../../../widgets/inputs/text-field.js';

/** Counts when it is left: each letter would be a step of undo. */
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
  // Undo, and what is written elsewhere, show here too.
  useEffect(() => setTyped(value), [value]);
  const done = (): void => {
    if (typed !== value) onChange(typed);
  };
  // Who closes the editor while something is typed keeps it; undo takes it back.
  const latest = useRef(done);
  latest.current = done;
  useEffect(() => () => latest.current(), []);
  return (
    <TextField
      label={label}
      value={typed}
      onChange={setTyped}
      onBlur={done}
      mono={mono}
      {...(lines === undefined ? { onKeyDown: (event) => event.key === 'Enter' && done() } : { lines })}
    />
  );
}
