import { useNavigate } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { bytesText, countOf } from '../../data/format-units.js';
import { datasetText } from '../../data/apl-text.js';
import { useCatalogQuery } from '../../data/catalog.js';
import { isMetricsDataset } from '../../data/metrics/metrics-dataset.js';
import { Button, IconButton } from '../../widgets/inputs/button.js';
import { RelativeTime } from '../../widgets/relative-time.js';
import { BarSpace, Page } from '../../widgets/page.js';
import { EmptyState, LoadingNotice } from '../../widgets/states.js';
import { Tabs } from '../../widgets/tabs.js';
import { useDatasetInfo } from '../../data/dataset-info.js';
import styles from './datasets.module.css';
import { Fields } from './fields.js';
import { Ingest } from './ingest.js';
import { Settings } from './settings.js';
import { TimeFieldNote } from './time-field-note.js';
import { VirtualFields } from './virtual-fields.js';

/** One dataset, in tabs. */
export function OneDataset({ name, tab }: { readonly name: string; readonly tab: string }) {
  const navigate = useNavigate();
  const { data: catalog, isFetching } = useCatalogQuery();
  const { data: info } = useDatasetInfo(name);
  const dataset = catalog?.datasets.find((each) => each.name === name);
  const back = (
    <IconButton label="All datasets" onPress={() => void navigate({ to: '/datasets' as string })}>
      <ArrowLeft />
    </IconButton>
  );
  if (dataset === undefined)
    return (
      <Page title={name} lead={back}>
        {catalog === undefined || isFetching ? (
          <LoadingNotice />
        ) : (
          <EmptyState
            title={`Dataset ${name} not found`}
            actions={<Button onPress={() => void navigate({ to: '/datasets' as string })}>All datasets</Button>}
          >
            It does not exist or you have no access. Ask an owner for the query permission.
          </EmptyState>
        )}
      </Page>
    );
  const hasMetrics = isMetricsDataset(dataset);
  const tabs = [
    ...(hasMetrics
      ? []
      : [
          { id: 'fields', title: 'Fields', content: <Fields dataset={dataset} /> },
          { id: 'virtual', title: 'Virtual fields', content: <VirtualFields dataset={name} /> },
        ]),
    { id: 'ingest', title: 'Ingest', content: <Ingest dataset={dataset} /> },
    { id: 'settings', title: 'Settings', content: <Settings dataset={dataset} info={info} /> },
  ];
  return (
    <Page
      title={name}
      scrolls={false}
      lead={back}
      bar={
        <>
          <BarSpace />
          {info !== undefined && (
            <span className={styles.note}>
              {countOf(info.numEvents, 'event')} · {bytesText(info.compressedBytes)} on disk
              {info.maxTime !== undefined && (
                <>
                  {' '}
                  · newest <RelativeTime at={info.maxTime} />
                </>
              )}
            </span>
          )}
          <Button
            needs={{ dataset: name, can: 'query', action: 'read' }}
            onPress={() =>
              void (hasMetrics
                ? navigate({ to: '/metrics' as string, search: { d: name } as never })
                : navigate({ to: '/query' as string, search: { q: datasetText(name) } as never }))
            }
          >
            {hasMetrics ? 'Open in Metrics' : 'Open in Query'}
          </Button>
        </>
      }
    >
      <TimeFieldNote dataset={dataset} />
      <Tabs
        label={name}
        tabs={tabs}
        open={tabs.some(({ id }) => id === tab) ? tab : tabs[0]!.id}
        onOpen={(id) => void navigate({ to: `/datasets/${encodeURIComponent(name)}/${id}` as string })}
      />
    </Page>
  );
}
