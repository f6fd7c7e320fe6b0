import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { datasetText } from '../../data/apl-text.js';
import { useCatalogue } from '../../data/catalog.js';
import { Button } from '../../widgets/inputs/button.js';
import { errorText } from '../../widgets/states.js';
import { notify } from '../../widgets/overlays/toast.js';
import styles from './dashboard.module.css';
import { createBoard } from './document/records.js';
import { filledIn, fitting, readyTable } from './templates/template-table.js';

const MAX_OFFERS = 6;

/** Dashboard templates for matching datasets, unless the name exists. */
export function Offers({
  names,
  onMade,
}: {
  readonly names: readonly string[];
  readonly onMade: (uid: string) => void;
}) {
  const datasets = useCatalogue()?.datasets;
  const offers = useMemo(
    () =>
      (datasets ?? []).flatMap(({ name, fields, locked }) => {
        // Internal datasets are not access logs.
        if (locked || name.startsWith('millrace-')) return [];
        const known = new Set(fields.map((field) => field.name));
        return readyTable.flatMap((ready) => {
          const found = fitting(ready, known);
          return found === undefined
            ? []
            : [{ ...ready, dataset: name, title: `${ready.title}: ${name}`.slice(0, 100), found }];
        });
      }),
    [datasets],
  );
  const make = useMutation({
    mutationFn: async ({ load, dataset, title, found }: (typeof offers)[number]) =>
      createBoard(filledIn(await load(), { ...found, dataset: datasetText(dataset), title })),
    onSuccess: onMade,
    onError: (error) => notify({ text: errorText(error), kind: 'problem' }),
  });
  const open = offers.filter(({ title }) => !names.includes(title)).slice(0, MAX_OFFERS);
  if (open.length === 0) return null;
  return (
    <section className={styles.offers} aria-label="Suggested dashboards">
      <h2>Suggested dashboards</h2>
      {open.map((offer) => (
        <article key={offer.title} className={styles.offer}>
          <h3>{offer.title}</h3>
          <p>{offer.about}</p>
          <Button
            needs={{ org: 'dashboards', action: 'create' }}
            disabled={make.isPending}
            label={`Add ${offer.title}`}
            onPress={() => make.mutate(offer)}
          >
            Add
          </Button>
        </article>
      ))}
    </section>
  );
}
