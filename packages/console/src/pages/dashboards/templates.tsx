import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { nameText } from '@millrace/mpl/editor';
import { datasetText } from '../../data/apl-text.js';
import { useCatalog } from '../../data/catalog.js';
import { Button } from '../../widgets/inputs/button.js';
import { useDatasetsWith, useMetricsDatasets } from '../../data/metrics/metrics-api.js';
import { errorText } from '../../widgets/states.js';
import { notify } from '../../widgets/overlays/toast.js';
import styles from './dashboard.module.css';
import { createBoard } from './document/records.js';
import { filledIn, fitFields, readyTable, serverBoard } from './templates/template-table.js';

const MAX_OFFERS = 6;
/** A list of metrics is a request per dataset. */
const MAX_METRICS_DATASETS = 4;
const lastHour = { from: 'now-1h', to: 'now' };

const titleOf = (title: string, dataset: string): string => `${title}: ${dataset}`.slice(0, 100);

/** Dashboard templates for matching datasets, unless the name exists. */
export function Offers({
  names,
  onMade,
}: {
  readonly names: readonly string[];
  readonly onMade: (uid: string) => void;
}) {
  const datasets = useCatalog()?.datasets;
  const ofEvents = useMemo(
    () =>
      (datasets ?? []).flatMap(({ name, fields, locked }) => {
        // Internal datasets are not access logs.
        if (locked || name.startsWith('millrace-')) return [];
        const known = new Set(fields.map((field) => field.name));
        return readyTable.flatMap(({ title, about, load, ...ready }) => {
          const found = fitFields(ready, known);
          return found === undefined
            ? []
            : [{ about, load, title: titleOf(title, name), values: { ...found, dataset: datasetText(name) } }];
        });
      }),
    [datasets],
  );
  const metricsDatasets = (useMetricsDatasets() ?? []).slice(0, MAX_METRICS_DATASETS);
  const ofMetrics = useDatasetsWith(serverBoard.metric, metricsDatasets, lastHour).map((name) => ({
    ...serverBoard,
    title: titleOf(serverBoard.title, name),
    values: { dataset: nameText(name) },
  }));
  const make = useMutation({
    mutationFn: async ({ load, title, values }: Pick<(typeof ofEvents)[number], 'load' | 'title' | 'values'>) =>
      createBoard(filledIn(await load(), { ...values, title })),
    onSuccess: onMade,
    onError: (error) => notify({ text: errorText(error), kind: 'problem' }),
  });
  const isOpen = ({ title }: { readonly title: string }): boolean => !names.includes(title);
  const open = [...ofEvents.filter(isOpen).slice(0, MAX_OFFERS), ...ofMetrics.filter(isOpen)];
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
