import { type ReactNode, useEffect, useState } from 'react';
import { TextField } from '../inputs/text-field.js';
import { FormDialog } from './form-dialog.js';

const THINK_MILLISECONDS = 3000;

/**
 * Confirms an action that cannot be undone. With `typed`, the user types that text and waits three
 * seconds, for actions that are hard to recover from.
 */
export function Confirm({
  title,
  action,
  onConfirm,
  onClose,
  children,
  typed,
  ready = true,
}: {
  readonly title: string;
  /** Label of the button. */
  readonly action: string;
  /** May throw: the message is shown and the dialog stays. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly typed?: string;
  /** False until its content is loaded. */
  readonly ready?: boolean;
}) {
  const [text, setText] = useState('');
  const [thought, setThought] = useState(typed === undefined);
  useEffect(() => {
    const timer = setTimeout(() => setThought(true), THINK_MILLISECONDS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <FormDialog
      title={title}
      action={action}
      kind="danger"
      ready={ready && thought && (typed === undefined || text === typed)}
      onSubmit={async () => {
        await onConfirm();
        onClose();
      }}
      onClose={onClose}
    >
      {children}
      {typed !== undefined && (
        <TextField label={`Type ${typed} to confirm`} value={text} onChange={setText} mono autoFocus />
      )}
    </FormDialog>
  );
}
