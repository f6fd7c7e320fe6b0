import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isRefusal } from '../../../data/api.js';
import { Button } from '../../../widgets/inputs/button.js';
import { Dialog } from '../../../widgets/overlays/dialog.js';
import { errorText } from '../../../widgets/states.js';
import { notify } from '../../../widgets/overlays/toast.js';
import styles from '../dashboard.module.css';
import { ChangeList } from './change-list.js';
import { type BoardRecord, readBoard, saveBoard } from '../document/records.js';
import type { Draft } from './use-draft.js';

const isConflict = (error: unknown): boolean => isRefusal(error) && error.status === 412;

type SavedBoard = Pick<BoardRecord, 'version' | 'document'>;

/** Shows the changes before saving and, on a conflict, those of the other user. */
export function SaveDialog({
  draft,
  record,
  onClose,
  onSaved,
}: {
  readonly draft: Draft;
  readonly record: BoardRecord;
  readonly onClose: () => void;
  readonly onSaved: (saved: SavedBoard) => void;
}) {
  const [theirs, setTheirs] = useState<BoardRecord>();
  const save = useMutation({
    mutationFn: async (version: number) => {
      try {
        return await saveBoard({ ...record, version }, draft.document);
      } catch (error) {
        if (!isConflict(error)) throw error;
        setTheirs(await readBoard(record.uid));
        return undefined;
      }
    },
    onSuccess: (saved) => {
      if (saved === undefined) return;
      notify({ text: 'Saved' });
      onSaved(saved);
    },
  });
  if (theirs !== undefined)
    return (
      <Dialog
        open
        wide
        title="This dashboard was changed by someone else"
        onClose={onClose}
        actions={
          <>
            <Button onPress={onClose}>Keep editing</Button>
            <Button kind="danger" onPress={() => onSaved(theirs)}>
              Discard my changes
            </Button>
            <Button kind="danger" disabled={save.isPending} onPress={() => save.mutate(theirs.version)}>
              Overwrite
            </Button>
          </>
        }
      >
        <div className={styles.form}>
          <h3>Their changes (version {theirs.version})</h3>
          <ChangeList before={record.document} after={theirs.document} label="Their changes" />
          <h3>Your changes</h3>
          <ChangeList before={record.document} after={draft.document} label="Your changes" />
        </div>
      </Dialog>
    );
  return (
    <Dialog
      open
      wide
      title="Save the dashboard"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Keep editing</Button>
          <Button kind="primary" autoFocus disabled={save.isPending} onPress={() => save.mutate(record.version)}>
            Save
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <ChangeList before={record.document} after={draft.document} label="Changes" />
        {save.error !== null && (
          <p className={styles.problem} role="alert">
            {errorText(save.error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}
