import { Checkbox } from '../../widgets/inputs/checkbox.js';
import { Select } from '../../widgets/inputs/select.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { choiceTitle, kinds, type SourceField, type SourceKind } from './kinds.js';

/** Form fields of a kind, from its table. */
export const KindForm = ({
  kind,
  values,
  problems,
  isStored,
  onChange,
}: {
  readonly kind: SourceKind;
  readonly values: Readonly<Record<string, string>>;
  readonly problems: Readonly<Record<string, string>>;
  /** Whether it exists, so that secrets may stay unchanged. */
  readonly isStored: boolean;
  readonly onChange: (id: string, value: string) => void;
}) =>
  kinds[kind].fields.map((field) => (
    <Field
      key={`${kind} ${field.id}`}
      field={field}
      value={values[field.id] ?? ''}
      problem={problems[field.id]}
      isStored={isStored}
      onChange={(value) => onChange(field.id, value)}
    />
  ));

function Field({
  field: { title, kind, choices = [], placeholder = '', hint },
  value,
  problem,
  isStored,
  onChange,
}: {
  readonly field: SourceField;
  readonly value: string;
  readonly problem: string | undefined;
  readonly isStored: boolean;
  readonly onChange: (value: string) => void;
}) {
  const given = {
    label: title,
    value,
    onChange,
    problem,
    placeholder,
    ...(hint !== undefined && { description: hint }),
    mono: true,
  };
  switch (kind) {
    case 'text':
    case 'number':
      return <TextField {...given} />;
    case 'list':
    case 'certificate':
      return <TextField {...given} lines={2} />;
    case 'secret':
      return (
        <TextField
          {...given}
          type="password"
          autoComplete="new-password"
          placeholder={isStored ? 'Empty keeps the stored one' : ''}
        />
      );
    case 'choice':
      return (
        <Select
          label={title}
          value={value === '' ? choices[0]! : value}
          choices={choices.map((id) => ({ id, title: choiceTitle(id) }))}
          onChange={onChange}
        />
      );
    case 'flag':
      return (
        <Checkbox checked={value === 'yes'} onChange={(checked) => onChange(checked ? 'yes' : '')}>
          {title}
        </Checkbox>
      );
    default:
      return kind satisfies never;
  }
}
