import { useState } from 'react';
import { api } from '../../data/api.js';
import { refreshCatalogue } from '../../data/catalogue.js';
import { Button } from '../../widgets/inputs/button.js';
import { Chip } from '../../widgets/chip.js';
import { errorText } from '../../widgets/states.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { notify } from '../../widgets/overlays/toast.js';
import type { KnownDataset } from './dataset.js';
import styles from './datasets.module.css';

/** Objects that are kept whole, for keys without end: each key of one would else be a field. */
export function MapFields({ dataset: { name, mapFields } }: { readonly dataset: KnownDataset }) {
  const [added, setAdded] = useState('');
  const apply = async (change: () => Promise<unknown>): Promise<void> => {
    try {
      await change();
      setAdded('');
      await refreshCatalogue();
    } catch (error) {
      notify({ text: errorText(error), kind: 'problem' });
    }
  };
  const add = (): void => {
    if (added.trim() !== '')
      void apply(() => api.call('createMapField', { params: { id: name }, body: { name: added.trim() } }));
  };
  return (
    <section className={styles.below} aria-label="Map fields">
      <h2>Map fields</h2>
      <p className={styles.about}>
        An object in a map field is kept whole. That is for keys without end, such as headers or labels. It counts for
        events that come later.
      </p>
      <div className={styles.line}>
        {mapFields.map((each) => (
          <Chip
            key={each}
            removeLabel={`Remove the map field ${each}`}
            onRemove={() => void apply(() => api.call('deleteMapField', { params: { id: name, name: each } }))}
          >
            <code>{each}</code>
          </Chip>
        ))}
        <TextField
          label="New map field"
          bare
          mono
          placeholder="attributes.custom"
          value={added}
          onChange={setAdded}
          onKeyDown={(event) => {
            if (event.key === 'Enter') add();
          }}
        />
        <Button onPress={add} needs={{ org: 'datasets', action: 'update' }}>
          Add
        </Button>
      </div>
    </section>
  );
}
