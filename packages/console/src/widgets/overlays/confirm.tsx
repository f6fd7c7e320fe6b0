import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../inputs/button.js';
import styles from './confirm.module.css';
import { Dialog } from './dialog.js';
import { errorText } from '../states.js';
import { TextField } from '../inputs/text-field.js';

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
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setThought(true), THINK_MILLISECONDS);
    return () => clearTimeout(timer);
  }, []);
  const may = ready && thought && !busy && (typed === undefined || text === typed);
  const confirm = async (): Promise<void> => {
    if (!may) return;
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      open
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="danger" disabled={!may} onPress={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        {children}
        {typed !== undefined && (
          <TextField
            label={`Type ${typed} to confirm`}
            value={text}
            onChange={setText}
            mono
            autoFocus
            onKeyDown={(event) => {
              if (event.key === 'Enter') void confirm();
            }}
          />
        )}
        {problem !== undefined && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  );
}
