import { useState } from 'react';
import { api } from '../../data/api.js';
import { useCatalog } from '../../data/catalog.js';
import { Checkbox } from '../../widgets/inputs/checkbox.js';
import { FormDialog } from '../../widgets/overlays/form-dialog.js';
import { SegmentedInput } from '../../widgets/inputs/segmented-input.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import styles from './access.module.css';
import { type Expiry, expiryDate, ExpirySelect } from './expiry.js';
import { MemberBoxes } from './member-boxes.js';
import { noRights, onDatasets, presets, type Rights, rightsInWords } from './resources.js';
import { RightsMatrix } from './rights-matrix.js';
import type { Secret } from './secret.js';

/** Form for a new API token: a preset, or individual permissions. */
export function CreateToken({
  onMade,
  onClose,
}: {
  readonly onMade: (secret: Secret) => void;
  readonly onClose: () => void;
}) {
  const names = (useCatalog()?.datasets ?? []).filter(({ canWrite }) => canWrite).map(({ name }) => name);
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('never');
  const [preset, setPreset] = useState<string>('send');
  const [chosen, setChosen] = useState<readonly string[]>(['*']);
  // Dataset permissions are stored under `*` until submit, so that they apply to the datasets
  // chosen last.
  const [wanted, setWanted] = useState<Rights>(rightsOf('send'));
  const all = chosen.includes('*');
  const rights = onDatasets(wanted, chosen);
  const choosePreset = (id: string): void => {
    setPreset(id);
    if (id !== 'custom') setWanted(rightsOf(id));
  };
  const submit = async (): Promise<void> => {
    const expiresAt = expiryDate(expiry);
    const made = await api.call('createToken', {
      body: { name, ...rights, ...(expiresAt !== undefined && { expiresAt }) },
    });
    onMade({ name: made.name, token: made.token });
  };
  return (
    <FormDialog
      title="New token"
      action="Create token"
      onSubmit={submit}
      onClose={onClose}
      ready={name.trim() !== '' && chosen.length > 0}
      wide
    >
      <div className={styles.pair}>
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          placeholder="Application or person that uses the token"
          autoFocus
        />
        <ExpirySelect value={expiry} onChange={setExpiry} />
      </div>
      <div className={styles.field}>
        <span className={styles.label}>Permissions</span>
        <SegmentedInput
          label="Permissions"
          value={preset}
          onChange={choosePreset}
          choices={[...presets.map(({ id, title }) => ({ id, title })), { id: 'custom', title: 'Custom' }]}
        />
        <p className={styles.quiet}>
          {presets.find(({ id }) => id === preset)?.about ?? 'Choose individual permissions'}
        </p>
      </div>
      <MemberBoxes
        title="Datasets"
        items={all ? [] : names.map((each) => ({ id: each, name: each }))}
        chosen={chosen}
        onChange={setChosen}
      >
        <Checkbox checked={all} onChange={(on) => setChosen(on ? ['*'] : [])}>
          All datasets, including future ones
        </Checkbox>
      </MemberBoxes>
      {preset === 'custom' && (
        <RightsMatrix rights={wanted} datasets={['*']} of={datasetsInWords(chosen)} onChange={setWanted} />
      )}
      <p className={styles.sentence}>
        Permissions: <strong>{rightsInWords(rights).join('; ')}</strong>
      </p>
    </FormDialog>
  );
}

const rightsOf = (preset: string): Rights => ({
  ...noRights,
  datasetCapabilities: { '*': presets.find(({ id }) => id === preset)?.dataset ?? {} },
});

const datasetsInWords = (chosen: readonly string[]): string =>
  chosen.includes('*') ? 'all datasets' : chosen.length === 0 ? 'selected datasets' : chosen.join(', ');
