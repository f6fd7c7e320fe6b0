import { type ReactNode, useState } from 'react';
import { refreshAlerts } from '../../data/alerts.js';
import type { RequiredPermission } from '../../data/permissions.js';
import { Button } from '../inputs/button.js';
import { errorText } from '../states.js';
import { Confirm } from './confirm.js';
import { Drawer } from './dialog.js';
import styles from './record-drawer.module.css';
import { notify } from './toast.js';

interface Deletion {
  readonly needs: RequiredPermission;
  /** Title of the confirmation. */
  readonly title: string;
  /** What follows from it. */
  readonly text: string;
  readonly run: () => Promise<unknown>;
}

interface RecordDrawerProps {
  readonly title: string;
  /** `silence`; in messages and on buttons. */
  readonly noun: string;
  readonly isNew: boolean;
  /** Permission to save. */
  readonly needs: RequiredPermission;
  /** Shows the problems of the form. @returns whether there are none */
  readonly check: () => boolean;
  /** May throw: the message is shown and the input stays. */
  readonly onSave: () => Promise<unknown>;
  readonly canSave?: boolean;
  /** Stays open when it is saved. */
  readonly stays?: boolean;
  /** Message when it is saved, if not the usual one. */
  readonly saved?: string;
  readonly deletion?: Deletion | undefined;
  /** Buttons beside that to delete. */
  readonly actions?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Drawer with the form of one record, such as a silence; creates, saves and deletes it. */
export function RecordDrawer({
  title,
  noun,
  isNew,
  needs,
  check,
  onSave,
  canSave = true,
  stays = false,
  saved,
  deletion,
  actions,
  onClose,
  children,
}: RecordDrawerProps) {
  const [saving, setSaving] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const [rejection, setRejection] = useState<string>();
  const capitalized = noun.replace(/^[a-z]/, (first) => first.toUpperCase());
  const save = async (): Promise<void> => {
    if (!check() || saving) return;
    setSaving(true);
    setRejection(undefined);
    try {
      await onSave();
      await refreshAlerts();
      notify({ text: saved ?? `${capitalized} ${isNew ? 'created' : 'saved'}` });
      if (!stays) onClose();
    } catch (error) {
      setRejection(errorText(error));
    } finally {
      setSaving(false);
    }
  };
  return (
    <Drawer
      title={title}
      open
      wide
      onClose={onClose}
      actions={
        <>
          {deletion !== undefined && (
            <Button kind="danger" needs={deletion.needs} disabled={saving} onPress={() => setDeleting(true)}>
              Delete
            </Button>
          )}
          {actions}
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" needs={needs} disabled={saving || !canSave} onPress={() => void save()}>
            {isNew ? `Create ${noun}` : 'Save'}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        {children}
        {rejection !== undefined && (
          <p className={styles.problem} role="alert">
            {rejection}
          </p>
        )}
      </div>
      {deleting && deletion !== undefined && (
        <Confirm
          title={deletion.title}
          action={`Delete the ${noun}`}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await deletion.run();
            await refreshAlerts();
            onClose();
          }}
        >
          {deletion.text}
        </Confirm>
      )}
    </Drawer>
  );
}
