import type { Token } from '@millrace/client';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { FormDialog } from '../../widgets/overlays/form-dialog.js';
import { SegmentedInput } from '../../widgets/inputs/segmented-input.js';
import styles from './access.module.css';
import type { Secret } from './secret.js';

const overlaps = [
  { id: '60', title: '1 minute' },
  { id: '3600', title: 'An hour' },
  { id: '86400', title: 'A day' },
  { id: '604800', title: 'A week' },
] as const;

/** New secret for a token. The old one stays valid for a grace period. */
export function RegenerateToken({
  token,
  onMade,
  onClose,
}: {
  readonly token: Token;
  readonly onMade: (secret: Secret) => void;
  readonly onClose: () => void;
}) {
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]['id']>('86400');
  const submit = async (): Promise<void> => {
    const existingTokenExpiresAt = new Date(Date.now() + Number(overlap) * 1000).toISOString();
    const made = await api.call('regenerateToken', {
      params: { id: token.id },
      body: { existingTokenExpiresAt, ...(token.expiresAt !== null && { newTokenExpiresAt: token.expiresAt }) },
    });
    onMade({ name: made.name, token: made.token });
  };
  return (
    <FormDialog title={`Regenerate secret of ${token.name}`} action="Regenerate" onSubmit={submit} onClose={onClose}>
      <p>Both secrets are valid until the old one expires, so clients can switch over.</p>
      <div className={styles.field}>
        <span className={styles.label}>Old secret expires in</span>
        <SegmentedInput label="Old secret expires in" value={overlap} choices={overlaps} onChange={setOverlap} />
      </div>
    </FormDialog>
  );
}
