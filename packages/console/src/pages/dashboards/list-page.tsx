import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Copy, Download, Plus, Star, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useCatalog } from '../../data/catalog.js';
import { setPreferences, usePreferences } from '../../data/preferences.js';
import { saveText } from '../../data/save-file.js';
import { visibleText } from '../../data/results/visible-text.js';
import { textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import { Button, IconButton } from '../../widgets/inputs/button.js';
import { DataTable } from '../../widgets/data-table.js';
import { Dialog } from '../../widgets/overlays/dialog.js';
import { FormDialog } from '../../widgets/overlays/form-dialog.js';
import { BarSpace, Page } from '../../widgets/page.js';
import { EmptyState, ErrorState, errorText, LoadingNotice } from '../../widgets/states.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { Day } from '../../widgets/relative-time.js';
import { notify } from '../../widgets/overlays/toast.js';
import { UntrustedText } from '../../widgets/untrusted-text.js';
import { AddQuery } from './editing/add-query.js';
import { ImportButton } from './import-button.js';
import styles from './dashboard.module.css';
import { textMember } from './document/document.js';
import { Offers } from './templates.js';
import {
  createBoard,
  deleteBoard,
  duplicateBoard,
  emptyDocument,
  listBoards,
  listKey,
  readBoard,
} from './document/records.js';

const params = {
  sort: textParam('name'),
  find: textParam(),
  /** A query to add to a dashboard, the kind of its element, and `mpl` if it is in MPL. */
  add: textParam(),
  as: textParam(),
  lang: textParam(),
};
const may = (action: string) => ({ org: 'dashboards', action }) as const;

const showError = (error: unknown): void => notify({ text: errorText(error), kind: 'problem' });

/** All dashboards that the user may see. */
export function DashboardsPage() {
  const [{ sort, find, add, as, lang }, change] = useUrlState(params);
  const navigate = useNavigate();
  const me = useCatalog()?.principal.userId;
  const [naming, setNaming] = useState(false);
  const [deleting, setDeleting] = useState<{ readonly uid: string; readonly name: string }>();
  const { data, error, refetch } = useQuery({ queryKey: listKey, queryFn: listBoards });
  const open = (uid: string, search: Readonly<Record<string, string>> = {}): void =>
    void navigate({ to: `/dashboards/${uid}` as string, search: search as never });
  const remove = useMutation({
    mutationFn: deleteBoard,
    onSuccess: () => notify({ text: 'Deleted' }),
    onError: showError,
    onSettled: () => setDeleting(undefined),
  });
  const starred = usePreferences().starredDashboards;
  const items = (data ?? []).map((record) => ({
    ...record,
    name: textMember(record.dashboard, 'name') ?? record.uid,
    elements: Array.isArray(record.dashboard['charts']) ? record.dashboard['charts'].length : 0,
    isStarred: starred.includes(record.uid),
    owner: record.dashboard['owner'] === me ? 'mine' : 'shared',
  }));
  return (
    <Page
      title="Dashboards"
      bar={
        <>
          <BarSpace />
          <ImportButton onDone={(uid) => open(uid)} />
          <Button kind="primary" needs={may('create')} onPress={() => setNaming(true)}>
            <Plus aria-hidden /> New dashboard
          </Button>
        </>
      }
    >
      {error !== null && <ErrorState title="Could not load dashboards" error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <LoadingNotice />}
      {data?.length === 0 && (
        <EmptyState
          title="No dashboards yet"
          actions={
            <Button kind="primary" needs={may('create')} onPress={() => setNaming(true)}>
              Create a dashboard
            </Button>
          }
        >
          A dashboard shows queries as charts, numbers and tables. Import one from Millrace, Axiom or Grafana, or create
          one. Suggestions appear here for datasets with access logs, Kubernetes logs, traces or metrics.
        </EmptyState>
      )}
      {items.length > 0 && (
        <div className={styles.list}>
          <TextField
            label="Find a dashboard"
            bare
            type="search"
            placeholder="Find"
            value={find}
            onChange={(next) => change({ find: next })}
            className={styles.find}
          />
          <DataTable
            label="Dashboards"
            items={items.filter(({ name }) => name.toLowerCase().includes(find.toLowerCase()))}
            empty={<p className={styles.nothing}>No matching dashboards</p>}
            idOf={({ uid }) => uid}
            sort={sort}
            onSort={(next) => change({ sort: next })}
            onOpen={({ uid }) => open(uid)}
            columns={[
              {
                id: 'name',
                title: 'Name',
                cell: ({ name }) => <UntrustedText text={name} />,
                // Starred dashboards come first.
                by: ({ name, isStarred }) => `${isStarred ? 0 : 1} ${name}`,
                isName: true,
              },
              {
                id: 'elements',
                title: 'Elements',
                cell: ({ elements }) => elements,
                by: ({ elements }) => elements,
                align: 'end',
                aside: true,
              },
              { id: 'owner', title: 'Owner', cell: ({ owner }) => owner, by: ({ owner }) => owner, aside: true },
              {
                id: 'changed',
                title: 'Updated',
                cell: ({ updatedAt }) => <Day at={updatedAt} />,
                by: ({ updatedAt }) => updatedAt,
                aside: true,
              },
              {
                id: 'do',
                title: 'Actions',
                align: 'end',
                cell: ({ uid, name, isStarred }) => (
                  <>
                    <IconButton
                      small
                      label={`${isStarred ? 'Unstar' : 'Star'} ${name}`}
                      className={isStarred ? styles.starred : undefined}
                      onPress={() =>
                        setPreferences({
                          starredDashboards: isStarred ? starred.filter((each) => each !== uid) : [...starred, uid],
                        })
                      }
                    >
                      <Star />
                    </IconButton>
                    <IconButton
                      small
                      label={`Export ${name}`}
                      onPress={() => void exportBoard(uid, name).catch(showError)}
                    >
                      <Download />
                    </IconButton>
                    <IconButton
                      small
                      label={`Duplicate ${name}`}
                      needs={may('create')}
                      onPress={() => void duplicateBoard(uid).then((copy) => open(copy), showError)}
                    >
                      <Copy />
                    </IconButton>
                    <IconButton
                      small
                      label={`Delete ${name}`}
                      needs={may('delete')}
                      onPress={() => setDeleting({ uid, name })}
                    >
                      <Trash2 />
                    </IconButton>
                  </>
                ),
              },
            ]}
          />
        </div>
      )}
      <Offers names={items.map(({ name }) => name)} onMade={(uid) => open(uid)} />
      {naming && <NameDialog onClose={() => setNaming(false)} onMade={(uid) => open(uid, { edit: 'on' })} />}
      {add !== '' && data !== undefined && (
        <AddQuery
          boards={items}
          onClose={() => change({ add: '', as: '', lang: '' })}
          onChosen={(uid) => open(uid, { add, as, ...(lang !== '' && { lang }), edit: 'on' })}
        />
      )}
      {deleting !== undefined && (
        <Dialog
          open
          title={`Delete “${visibleText(deleting.name)}”?`}
          onClose={() => setDeleting(undefined)}
          actions={
            <>
              <Button onPress={() => setDeleting(undefined)}>Cancel</Button>
              <Button kind="danger" onPress={() => remove.mutate(deleting.uid)} disabled={remove.isPending}>
                Delete
              </Button>
            </>
          }
        >
          The dashboard is deleted for all users. Events are not affected.
        </Dialog>
      )}
    </Page>
  );
}

async function exportBoard(uid: string, name: string): Promise<void> {
  const { text } = await readBoard(uid);
  saveText(text, `${name.replaceAll(/[^\w.-]+/g, '-').toLowerCase()}.json`);
}

function NameDialog({ onClose, onMade }: { readonly onClose: () => void; readonly onMade: (uid: string) => void }) {
  const [name, setName] = useState('');
  return (
    <FormDialog
      title="New dashboard"
      action="Create"
      ready={name.trim() !== ''}
      onSubmit={async () => onMade(await createBoard(JSON.stringify(emptyDocument(name.trim()))))}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} autoFocus />
    </FormDialog>
  );
}
