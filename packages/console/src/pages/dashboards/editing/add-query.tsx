import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../widgets/inputs/button.js';
import { Dialog } from '../../../widgets/overlays/dialog.js';
import { errorText } from '../../../widgets/states.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import styles from '../dashboard.module.css';
import { createBoard, emptyDocument } from '../document/records.js';

/** Chooses the dashboard for a query of the Query page: an existing or a new one. */
export function AddQuery({
  boards,
  onClose,
  onChosen,
}: {
  readonly boards: readonly { readonly uid: string; readonly name: string }[];
  readonly onClose: () => void;
  readonly onChosen: (uid: string) => void;
}) {
  const [name, setName] = useState('');
  const make = useMutation({
    mutationFn: () => createBoard(JSON.stringify(emptyDocument(name.trim()))),
    onSuccess: onChosen,
  });
  return (
    <Dialog open title="Add to dashboard" onClose={onClose}>
      <div className={styles.form}>
        {boards.length > 0 && (
          <ul className={styles.choices} aria-label="Dashboards">
            {boards.map(({ uid, name: title }, index) => (
              <li key={uid}>
                <Button
                  autoFocus={index === 0}
                  needs={{ org: 'dashboards', action: 'update' }}
                  onPress={() => onChosen(uid)}
                >
                  {title}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== '') make.mutate();
          }}
        >
          <TextField
            label="Or create a new dashboard"
            value={name}
            onChange={setName}
            autoFocus={boards.length === 0}
            problem={make.error === null ? undefined : errorText(make.error)}
          />
          <div className={styles.row}>
            <Button
              type="submit"
              kind="primary"
              needs={{ org: 'dashboards', action: 'create' }}
              disabled={name.trim() === '' || make.isPending}
            >
              Create and add
            </Button>
          </div>
        </form>
      </div>
    </Dialog>
  );
}
