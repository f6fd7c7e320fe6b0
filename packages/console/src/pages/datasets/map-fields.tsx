import { useState } from 'react';
import { api } from '../../data/api.js';
import { refreshCatalog } from '../../data/catalog.js';
import { Button } from '../../widgets/inputs/button.js';
import { Chip } from '../../widgets/chip.js';
import { errorText } from '../../widgets/states.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { notify } from '../../widgets/overlays/toast.js';
import type { KnownDataset } from './dataset.js';
import styles from './datasets.module.css';

/** Map fields: objects with unbounded keys, stored whole instead of a field per key. */
export function MapFields({ dataset: { name, mapFields } }: { readonly dataset: KnownDataset }) {
  const [added, setAdded] = useState('');
  const apply = async (change: () => Promise<unknown>): Promise<void> => {
    try {
      await change();
      setAdded('');
      await refreshCatalog();
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
        Map fields store an object in one column. Use them for unbounded keys such as headers or labels. Applies to new
        events.
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
