import { type ReactNode, useEffect, useState } from 'react';
import { TextField } from '../inputs/text-field.js';
import { FormDialog } from './form-dialog.js';

const THINK_MILLISECONDS = 3000;

/**
 * Asks before something that cannot be undone. With `typed`, that text has to be typed and three
 * seconds have to pass: what comes next takes more than a click to bring back.
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
  /** What the button says. */
  readonly action: string;
  /** May throw: what it says is shown, and the dialog stays. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly typed?: string;
  /** False until everything that it says is known. */
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
