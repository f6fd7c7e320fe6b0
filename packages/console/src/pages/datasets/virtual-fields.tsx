import type { VirtualField } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { refreshCatalog } from '../../data/catalog.js';
import { queryClient } from '../../data/query-client.js';
import { Button } from '../../widgets/inputs/button.js';
import { Confirm } from '../../widgets/overlays/confirm.js';
import { DataTable } from '../../widgets/data-table.js';
import { FormDialog } from '../../widgets/overlays/form-dialog.js';
import { EmptyState, ErrorState, LoadingNotice } from '../../widgets/states.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import styles from './datasets.module.css';

type Open =
  | { readonly kind: 'edit'; readonly field: VirtualField | undefined }
  | { readonly kind: 'delete'; readonly field: VirtualField };

const keyOf = (dataset: string) => ['virtual-fields', dataset];

async function refresh(dataset: string): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: keyOf(dataset) }), refreshCatalog()]);
}

/** Fields computed at query time. */
export function VirtualFields({ dataset }: { readonly dataset: string }) {
  const [sort, setSort] = useState('name');
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(dataset),
    queryFn: ({ signal }) => api.call('listVirtualFields', { query: { dataset }, signal }),
    staleTime: 0,
  });
  if (error !== null)
    return <ErrorState title="Could not load virtual fields" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice lines={3} />;
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.about}>Computed from other fields at query time; not stored.</p>
        <Button
          kind="primary"
          needs={{ dataset, can: 'virtualFields', action: 'create' }}
          onPress={() => setOpen({ kind: 'edit', field: undefined })}
        >
          <Plus aria-hidden /> New virtual field
        </Button>
      </div>
      <DataTable
        label="Virtual fields"
        items={data}
        idOf={({ id }) => id}
        sort={sort}
        onSort={setSort}
        empty={
          <EmptyState title="There is no virtual field yet">
            Name a reusable expression, such as <code>status &gt;= 500</code>.
          </EmptyState>
        }
        columns={[
          { id: 'name', title: 'Name', by: ({ name }) => name, cell: ({ name }) => <code>{name}</code> },
          { id: 'expression', title: 'Expression', cell: ({ expression }) => <code>{expression}</code> },
          { id: 'description', title: 'Description', cell: ({ description }) => description ?? '' },
          {
            id: 'actions',
            title: 'Actions',
            unseen: true,
            align: 'end',
            cell: (field) => (
              <span className={styles.actions}>
                <Button
                  small
                  label={`Edit ${field.name}`}
                  needs={{ dataset, can: 'virtualFields', action: 'update' }}
                  onPress={() => setOpen({ kind: 'edit', field })}
                >
                  Edit
                </Button>
                <Button
                  small
                  kind="danger"
                  label={`Delete ${field.name}`}
                  needs={{ dataset, can: 'virtualFields', action: 'delete' }}
                  onPress={() => setOpen({ kind: 'delete', field })}
                >
                  Delete
                </Button>
              </span>
            ),
          },
        ]}
      />
      {open?.kind === 'edit' && <EditVirtualField dataset={dataset} field={open.field} onClose={close} />}
      {open?.kind === 'delete' && (
        <Confirm
          title={`Delete the virtual field ${open.field.name}?`}
          action="Delete field"
          onClose={close}
          onConfirm={async () => {
            await api.call('deleteVirtualField', { params: { id: open.field.id } });
            await refresh(dataset);
          }}
        >
          <p>Queries that use it will fail. Events are not affected.</p>
        </Confirm>
      )}
    </>
  );
}

function EditVirtualField({
  dataset,
  field,
  onClose,
}: {
  readonly dataset: string;
  readonly field: VirtualField | undefined;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(field?.name ?? '');
  const [expression, setExpression] = useState(field?.expression ?? '');
  const [description, setDescription] = useState(field?.description ?? '');
  const [unit, setUnit] = useState(field?.unit ?? '');
  const submit = async (): Promise<void> => {
    const body = { dataset, name, expression, description, unit };
    if (field === undefined) await api.call('createVirtualField', { body });
    else await api.call('updateVirtualField', { params: { id: field.id }, body });
    await refresh(dataset);
    onClose();
  };
  return (
    <FormDialog
      title={field === undefined ? 'New virtual field' : `The virtual field ${field.name}`}
      action={field === undefined ? 'Create field' : 'Save field'}
      onSubmit={submit}
      onClose={onClose}
      ready={name.trim() !== '' && expression.trim() !== ''}
    >
      <TextField label="Name" value={name} onChange={setName} mono autoFocus placeholder="failed" />
      <TextField
        label="Expression, in APL"
        value={expression}
        onChange={setExpression}
        mono
        lines={3}
        placeholder="status >= 500"
      />
      <TextField label="Description" value={description} onChange={setDescription} />
      <TextField label="Unit" value={unit} onChange={setUnit} />
    </FormDialog>
  );
}
