import { Select } from '../../../widgets/inputs/select.js';
import { type Chart, membersOf } from '../document/document.js';
import { columnOption, withColumnOption } from '../elements/time-series-options.js';
import type { ElementOption } from './element-options.js';
import { TypedField } from './typed-field.js';

/** A form field for a property of an element. */
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
  if (choices === undefined) return <TypedField label={label} value={value} onChange={change} lines={lines} />;
  return (
    <Select
      label={label}
      value={value}
      onChange={change}
      choices={[
        { id: '', title: 'Default' },
        ...choices,
        ...(value === '' || choices.some(({ id }) => id === value) ? [] : [{ id: value, title: value }]),
      ]}
    />
  );
}

/**
 * Keeps the type in the document, including numbers and booleans as strings; empty removes the
 * property.
 */
function valueLike(found: unknown, text: string): unknown {
  if (text === '') return undefined;
  if (typeof found === 'number' && Number.isFinite(Number(text))) return Number(text);
  return typeof found !== 'string' && (text === 'true' || text === 'false') ? text === 'true' : text;
}
