import { countText } from '../../data/format-units.js';
import { queryParam, textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import { DataTable } from '../../widgets/data-table.js';
import { RecordPage } from '../../widgets/record-page.js';
import { kinds } from './kinds.js';
import { SourceDrawer } from './source-drawer.js';
import { type Source, useSources } from './source-queries.js';
import { SourceState } from './source-state.js';
import styles from './sources.module.css';

const params = { id: queryParam(textParam()), sort: textParam('name') };
const create = { org: 'integrations', action: 'create' } as const;

/** List of sources with their state. */
export function SourcesPage() {
  const [{ id, sort }, change] = useUrlState(params);
  const sources = useSources();
  const open = sources.data?.find((each) => each.id === id);
  return (
    <RecordPage
      title="Sources"
      noun="a source"
      nav={null}
      records={sources}
      isEmpty={({ length }) => length === 0}
      about="A source reads events from Kafka topics or an S3 bucket into a dataset. Each message and object is stored once, and reading continues after a restart. Programs that send events themselves need no source: the Ingest tab of a dataset has their settings."
      needs={create}
      onNew={() => change({ id: 'new' })}
      overlay={
        (id === 'new' || open !== undefined) && (
          <SourceDrawer key={id} source={open} onClose={() => change({ id: '' })} />
        )
      }
    >
      {(data) => (
        <DataTable
          label="Sources"
          items={data}
          idOf={(each) => each.id}
          sort={sort}
          onSort={(next) => change({ sort: next })}
          onOpen={(each) => change({ id: each.id })}
          columns={[
            {
              id: 'name',
              title: 'Name',
              isName: true,
              by: ({ name }) => name,
              cell: ({ name }) => <strong className={styles.name}>{name}</strong>,
            },
            {
              id: 'kind',
              title: 'Kind',
              aside: true,
              by: ({ kind }) => kinds[kind].title,
              cell: ({ kind }) => kinds[kind].title,
            },
            { id: 'dataset', title: 'Dataset', by: ({ dataset }) => dataset, cell: ({ dataset }) => dataset },
            {
              id: 'state',
              title: 'State',
              by: ({ status }) => status.state,
              cell: ({ status }) => <SourceState status={status} />,
            },
            {
              id: 'lag',
              title: 'Lag',
              align: 'end',
              by: ({ status }) => status.lag ?? -1,
              cell: ({ status: { lag } }) => (lag === undefined ? '–' : countText(lag)),
            },
            {
              id: 'rejected',
              title: 'Rejected',
              align: 'end',
              by: ({ status }) => status.rejectedMessages + status.failedEvents,
              cell: ({ status }) => countText(status.rejectedMessages + status.failedEvents),
            },
            {
              id: 'error',
              title: 'Last error',
              aside: true,
              cell: (each) => <span className={styles.error}>{lastError(each)}</span>,
            },
          ]}
        />
      )}
    </RecordPage>
  );
}

const lastError = ({ status: { problem, rejects } }: Source): string => problem ?? rejects[0]?.problem ?? '–';
