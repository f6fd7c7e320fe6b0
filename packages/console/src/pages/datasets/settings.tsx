import type { DatasetInfo } from '@millrace/client';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { refreshCatalog } from '../../data/catalog.js';
import { Button } from '../../widgets/inputs/button.js';
import { Section, Sections } from '../../widgets/section.js';
import { errorText } from '../../widgets/states.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { notify } from '../../widgets/overlays/toast.js';
import type { KnownDataset } from './dataset.js';
import styles from './datasets.module.css';
import { FieldRolesForm } from './field-roles-form.js';
import { DeleteByQuery } from './delete-by-query.js';
import { DeleteDataset } from './delete-dataset.js';
import { Retention } from './retention.js';
import { Trim } from './trim.js';
import { Vacuum } from './vacuum.js';

/** Settings of a dataset, from easily undone to irreversible. */
export const Settings = ({
  dataset,
  info,
}: {
  readonly dataset: KnownDataset;
  readonly info: DatasetInfo | undefined;
}) => (
  <Sections>
    <Description dataset={dataset} />
    <Section
      title="Fields"
      about="The event time applies to new events whose request names no time field. Rows, Live and traces use the others."
    >
      <FieldRolesForm dataset={dataset} />
    </Section>
    <Section title="Retention" about="Older events are deleted automatically.">
      <Retention dataset={dataset} info={info} />
    </Section>
    <Section title="Trim" about="Delete older events now.">
      <Trim dataset={dataset.name} info={info} />
    </Section>
    <Section title="Delete by query" about="Delete events that match a filter. Shows the count first.">
      <DeleteByQuery dataset={dataset.name} />
    </Section>
    <Section title="Vacuum" about="Remove unused fields." end={<Vacuum dataset={dataset.name} />}>
      {null}
    </Section>
    <Section
      title="Delete the dataset"
      about="With all its events. This cannot be undone."
      end={<DeleteDataset dataset={dataset.name} info={info} />}
    >
      {null}
    </Section>
  </Sections>
);

function Description({ dataset: { name, description } }: { readonly dataset: KnownDataset }) {
  const [text, setText] = useState(description);
  const save = async (): Promise<void> => {
    try {
      await api.call('updateDataset', { params: { id: name }, body: { description: text } });
      await refreshCatalog();
      notify({ text: 'The description is saved' });
    } catch (error) {
      notify({ text: errorText(error), kind: 'problem' });
    }
  };
  return (
    <Section title="Description">
      <div className={styles.line}>
        <TextField
          label="What it is for"
          bare
          value={text}
          onChange={setText}
          className={styles.wide}
          placeholder="Purpose and source of the events"
          onKeyDown={(event) => {
            if (event.key === 'Enter') void save();
          }}
        />
        <Button
          disabled={text === description}
          needs={{ org: 'datasets', action: 'update' }}
          onPress={() => void save()}
        >
          Save
        </Button>
      </div>
    </Section>
  );
}
