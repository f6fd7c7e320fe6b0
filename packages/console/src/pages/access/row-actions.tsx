import type { OrgCapabilities } from '@millrace/client';
import { Button } from '../../widgets/inputs/button.js';
import styles from './access.module.css';

/** Edit and delete actions of a row. */
export const RowActions = ({
  name,
  resource,
  change,
  onDelete,
}: {
  readonly name: string;
  /** Permissions to update and to delete. */
  readonly resource: keyof OrgCapabilities;
  /** Labels include the name, for screen readers. */
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
