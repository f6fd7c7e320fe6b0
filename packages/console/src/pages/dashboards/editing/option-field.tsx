import { useEffect, useRef, useState } from 'react';
import { Select } from '../../../widgets/inputs/select.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { type Chart, membersOf } from '../document/document.js';
import { columnOption, withColumnOption } from '../elements/time-series-options.js';
import type { ElementOption } from './element-options.js';

/** A member of an element that is chosen or typed. */
export function OptionField({
  option: { path, label, choices, lines, ofColumns },
  chart,
  onChange,
}: {
  readonly option: ElementOption;
  readonly chart: Chart;
  readonly onChange: (path: readonly string[], value: unknown) => void;
}) {
  const found =
    ofColumns === undefined
      ? path.reduce<unknown>((members, name) => membersOf(members)[name], chart)
      : columnOption(chart, ofColumns);
  const value = found === undefined || found === null ? '' : String(found);
  const change = (text: string): void => {
    const next = valueLike(found, text);
    onChange(path, ofColumns === undefined ? next : withColumnOption(chart, ofColumns, next));
  };
  if (choices === undefined)
    return <TypedField key={value} label={label} value={value} onChange={change} lines={lines} />;
  return (
    <Select
      label={label}
      value={value}
      onChange={change}
      choices={[
        { id: '', title: 'Not set' },
        ...choices,
        ...(value === '' || choices.some(({ id }) => id === value) ? [] : [{ id: value, title: value }]),
      ]}
    />
  );
}

/** Counts when it is left: each letter would be a step of undo. */
function TypedField({
  label,
  value,
  onChange,
  lines,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly lines?: number | undefined;
}) {
  const [typed, setTyped] = useState(value);
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
      {...(lines === undefined ? { onKeyDown: (event) => event.key === 'Enter' && done() } : { lines })}
    />
  );
}

/**
 * A document that has a number, a boolean or the text of one gets the like again; nothing typed
 * takes the member away.
 */
function valueLike(found: unknown, text: string): unknown {
  if (text === '') return undefined;
  if (typeof found === 'number' && Number.isFinite(Number(text))) return Number(text);
  return typeof found !== 'string' && (text === 'true' || text === 'false') ? text === 'true' : text;
}
