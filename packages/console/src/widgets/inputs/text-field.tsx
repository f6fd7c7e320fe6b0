import type { FocusEvent, KeyboardEvent, ReactNode, Ref } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { TextArea } from 'react-aria-components/TextArea';
import { cx } from '../class-names.js';
import styles from './field.module.css';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Label for screen readers only. */
  readonly bare?: boolean;
  readonly placeholder?: string;
  readonly description?: ReactNode;
  /** Validation error; undefined if valid. */
  readonly problem?: string | undefined;
  readonly type?: 'text' | 'password' | 'search' | 'number' | 'email';
  readonly lines?: number;
  readonly mono?: boolean;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly autoFocus?: boolean;
  readonly autoComplete?: string;
  /** Selects the text when focused, so that typing replaces it. */
  readonly selectOnFocus?: boolean;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly onBlur?: () => void;
  /** ID of a `<datalist>` with suggestions. */
  readonly list?: string;
  readonly className?: string | undefined;
  readonly ref?: Ref<HTMLInputElement>;
}

export function TextField({
  label,
  problem,
  description,
  bare = false,
  lines,
  mono = false,
  ...props
}: TextFieldProps) {
  const input = cx(styles.input, mono && styles.mono);
  const given = {
    ...(props.placeholder !== undefined && { placeholder: props.placeholder }),
    ...(props.onKeyDown !== undefined && { onKeyDown: props.onKeyDown }),
    ...(props.onBlur !== undefined && { onBlur: props.onBlur }),
    ...(props.selectOnFocus === true && {
      onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => currentTarget.select(),
    }),
  };
  return (
    <AriaTextField
      className={cx(styles.field, props.className)}
      value={props.value}
      onChange={props.onChange}
      isInvalid={problem !== undefined}
      isRequired={props.required === true}
      isDisabled={props.disabled === true}
      type={props.type ?? 'text'}
      autoComplete={props.autoComplete ?? 'off'}
      spellCheck="false"
      {...(bare && { 'aria-label': label })}
      {...(props.autoFocus === true && { autoFocus: true })}
    >
      {!bare && <Label className={styles.label!}>{label}</Label>}
      {lines === undefined ? (
        <Input
          className={input}
          {...given}
          {...(props.list !== undefined && { list: props.list })}
          {...(props.ref !== undefined && { ref: props.ref })}
        />
      ) : (
        <TextArea className={input} rows={lines} {...given} />
      )}
      {description !== undefined && (
        <Text slot="description" className={styles.description!}>
          {description}
        </Text>
      )}
      <FieldError className={styles.problem!}>{problem}</FieldError>
    </AriaTextField>
  );
}
