import { type ReactNode, useState } from 'react';
import { Button } from '../inputs/button.js';
import styles from './form-dialog.module.css';
import { Dialog } from './dialog.js';
import { errorText } from '../states.js';

/** A form in a dialog. Enter submits; server errors are shown and the input stays. */
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
  /** Style of the button; `danger` for what cannot be undone. */
  readonly kind?: 'primary' | 'danger';
  /** Whether the form can be submitted. */
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
        {/* Browsers submit a form with several fields on Enter only if it has a button. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
