import { type ReactNode, useState } from 'react';
import { Button } from '../inputs/button.js';
import styles from './form-dialog.module.css';
import { Dialog } from './dialog.js';
import { errorText } from '../states.js';

/**
 * A form in a dialog. Enter sends it; what the server says against it is shown, and everything
 * typed stays.
 */
export function FormDialog({
  title,
  action,
  onSubmit,
  onClose,
  children,
  kind = 'primary',
  ready = true,
  wide = false,
}: {
  readonly title: string;
  readonly action: string;
  /** May throw. */
  readonly onSubmit: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** How the button looks; `danger` for what cannot be undone. */
  readonly kind?: 'primary' | 'danger';
  /** Whether enough is filled in. */
  readonly ready?: boolean;
  readonly wide?: boolean;
}) {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    if (!ready || busy) return;
    setBusy(true);
    try {
      await onSubmit();
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      open
      onClose={onClose}
      wide={wide}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind={kind} disabled={!ready || busy} onPress={() => void submit()}>
            {action}
          </Button>
        </>
      }
    >
      <form
        className={styles.body}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children}
        {problem !== undefined && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
        {/* A form with more than one field is sent by Enter only if it has a button. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
