import type { OrgCapabilities } from '@millrace/client';
import { Button } from '../../widgets/inputs/button.js';
import styles from './access.module.css';

/** A row of a list can be changed in one way, and deleted. */
export const RowActions = ({
  name,
  resource,
  change,
  onDelete,
}: {
  readonly name: string;
  /** Of which rights it takes: to update, to delete. */
  readonly resource: keyof OrgCapabilities;
  /** With the words between its title and the name, for those who do not see the row. */
  readonly change: { readonly title: string; readonly of?: string; readonly onPress: () => void };
  readonly onDelete: () => void;
}) => (
  <span className={styles.actions}>
    <Button
      small
      label={[change.title, change.of, name].filter((each) => each !== undefined).join(' ')}
      needs={{ org: resource, action: 'update' }}
      onPress={change.onPress}
    >
      {change.title}
    </Button>
    <Button small kind="danger" label={`Delete ${name}`} needs={{ org: resource, action: 'delete' }} onPress={onDelete}>
      Delete
    </Button>
  </span>
);
