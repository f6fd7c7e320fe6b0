import type { Role } from '@millrace/client';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { useCatalog } from '../../data/catalog.js';
import { textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import { Button } from '../../widgets/inputs/button.js';
import { Chip } from '../../widgets/chip.js';
import { Confirm } from '../../widgets/overlays/confirm.js';
import { DataTable } from '../../widgets/data-table.js';
import { FormDialog } from '../../widgets/overlays/form-dialog.js';
import { Select } from '../../widgets/inputs/select.js';
import { ErrorState, LoadingNotice } from '../../widgets/states.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { refreshPeople, useRoles, useUsers } from './access-queries.js';
import styles from './access.module.css';
import { MemberBoxes } from './member-boxes.js';
import { noRights, type Rights, rightsInWords } from './resources.js';
import { RightsMatrix } from './rights-matrix.js';
import { RowActions } from './row-actions.js';

const params = { sort: textParam('name') };
/** Built-in roles, which are read-only. */
const builtIn: readonly string[] = ['owner', 'admin', 'user', 'read-only', 'none'];

type Open =
  | { readonly kind: 'edit'; readonly role: Role | undefined }
  | { readonly kind: 'delete'; readonly role: Role };

/** Named sets of permissions. */
export function Roles() {
  const [{ sort }, change] = useUrlState(params);
  const [open, setOpen] = useState<Open>();
  const { data, error, refetch } = useRoles();
  const close = (): void => setOpen(undefined);
  if (error !== null) return <ErrorState title="Could not load roles" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice />;
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.about}>Named permission sets for users and groups.</p>
        <Button
          kind="primary"
          needs={{ org: 'rbac', action: 'create' }}
          onPress={() => setOpen({ kind: 'edit', role: undefined })}
        >
          <Plus aria-hidden /> New role
        </Button>
      </div>
      <DataTable
        label="Roles"
        items={data}
        idOf={({ id }) => id}
        sort={sort}
        onSort={(next) => change({ sort: next })}
        columns={[
          {
            id: 'name',
            title: 'Name',
            by: ({ name }) => name,
            cell: ({ id, name }) => (
              <>
                <strong>{name}</strong> {builtIn.includes(id) && <Chip>built in</Chip>}
              </>
            ),
          },
          {
            id: 'rights',
            title: 'Permissions',
            cell: (role) =>
              builtIn.includes(role.id)
                ? role.description
                : rightsInWords(role).map((each) => <div key={each}>{each}</div>),
          },
          {
            id: 'actions',
            title: 'Actions',
            unseen: true,
            align: 'end',
            cell: (role) =>
              !builtIn.includes(role.id) && (
                <RowActions
                  name={role.name}
                  resource="rbac"
                  change={{ title: 'Edit', onPress: () => setOpen({ kind: 'edit', role }) }}
                  onDelete={() => setOpen({ kind: 'delete', role })}
                />
              ),
          },
        ]}
      />
      {open?.kind === 'edit' && <EditRole role={open.role} onClose={close} />}
      {open?.kind === 'delete' && (
        <Confirm
          title={`Delete the role ${open.role.name}?`}
          action="Delete role"
          onClose={close}
          onConfirm={async () => {
            await api.call('deleteRole', { params: { id: open.role.id } });
            await refreshPeople();
          }}
        >
          <p>Users and groups with this role lose its permissions immediately.</p>
        </Confirm>
      )}
    </>
  );
}

function EditRole({ role, onClose }: { readonly role: Role | undefined; readonly onClose: () => void }) {
  const datasets = useCatalog()?.datasets ?? [];
  const { data: users = [] } = useUsers();
  const [name, setName] = useState(role?.name ?? '');
  const [description, setDescription] = useState(role?.description ?? '');
  const [members, setMembers] = useState<readonly string[]>(role?.members ?? []);
  const [rights, setRights] = useState<Rights>(role ?? noRights);
  const [on, setOn] = useState('*');
  const submit = async (): Promise<void> => {
    const { datasetCapabilities, orgCapabilities, viewCapabilities } = rights;
    const body = { name, description, members, datasetCapabilities, orgCapabilities, viewCapabilities };
    if (role === undefined) await api.call('createRole', { body });
    else await api.call('updateRole', { params: { id: role.id }, body });
    await refreshPeople();
    onClose();
  };
  return (
    <FormDialog
      title={role === undefined ? 'New role' : `The role ${role.name}`}
      action={role === undefined ? 'Create role' : 'Save role'}
      onSubmit={submit}
      onClose={onClose}
      ready={name.trim() !== ''}
      wide
    >
      <div className={styles.pair}>
        <TextField label="Name" value={name} onChange={setName} autoFocus />
        <TextField label="Description" value={description} onChange={setDescription} />
      </div>
      <Select
        label="Permissions on"
        value={on}
        onChange={setOn}
        choices={[{ id: '*', title: 'all datasets' }, ...datasets.map((each) => ({ id: each.name, title: each.name }))]}
      />
      <RightsMatrix rights={rights} datasets={[on]} onChange={setRights} />
      <MemberBoxes title="Also assigned to users" items={users} chosen={members} onChange={setMembers} />
      <p className={styles.sentence}>
        It may: <strong>{rightsInWords(rights).join('; ')}</strong>
      </p>
    </FormDialog>
  );
}
