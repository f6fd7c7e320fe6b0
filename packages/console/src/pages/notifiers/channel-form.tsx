import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Checkbox } from '../../widgets/inputs/checkbox.js';
import { IconButton } from '../../widgets/inputs/button.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { type ChannelField, type ChannelName, channels } from './channels.js';
import styles from './notifiers.module.css';

interface FieldProps {
  readonly field: ChannelField;
  readonly value: string;
  readonly problem: string | undefined;
  readonly isKept: boolean;
  readonly onChange: (value: string) => void;
}

/** Form fields of a channel, from its table. */
export const ChannelForm = ({
  channel,
  values,
  missing,
  isKept,
  onChange,
}: {
  readonly channel: ChannelName;
  readonly values: Readonly<Record<string, string>>;
  readonly missing: Readonly<Record<string, string>>;
  /** Whether it exists, so that secrets may stay unchanged. */
  readonly isKept: boolean;
  readonly onChange: (id: string, value: string) => void;
}) => (
  <>
    {channels[channel].hint !== undefined && <p className={styles.hint}>{channels[channel].hint}</p>}
    {channels[channel].fields.map((field) => (
      <Field
        key={`${channel} ${field.id}`}
        field={field}
        value={values[field.id] ?? ''}
        problem={missing[field.id]}
        isKept={isKept}
        onChange={(value) => onChange(field.id, value)}
      />
    ))}
  </>
);

function Field({ field, value, problem, isKept, onChange }: FieldProps) {
  const { title, kind, placeholder, hint, masked } = field;
  const given = {
    label: title,
    value,
    onChange,
    problem,
    ...(hint !== undefined && { description: hint }),
    placeholder: masked === true && isKept && kind === 'secret' ? 'Stored, hidden' : (placeholder ?? ''),
  };
  switch (kind) {
    case 'text':
    case 'number':
    case 'address':
      return <TextField {...given} mono />;
    case 'secret':
      return <SecretField {...given} />;
    case 'list':
      return <TextField {...given} lines={3} mono />;
    case 'template':
      return <TextField {...given} lines={10} mono />;
    case 'headers':
    case 'secret-headers':
      return <TextField {...given} lines={3} mono />;
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

function SecretField(given: Parameters<typeof TextField>[0]) {
  const [shown, setShown] = useState(false);
  return (
    <div className={styles.secret}>
      <TextField
        {...given}
        type={shown ? 'text' : 'password'}
        autoComplete="new-password"
        mono
        className={styles.secretText}
      />
      <IconButton label={shown ? `Hide: ${given.label}` : `Show: ${given.label}`} onPress={() => setShown(!shown)}>
        {shown ? <EyeOff /> : <Eye />}
      </IconButton>
    </div>
  );
}
