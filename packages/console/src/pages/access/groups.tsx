import type { Group } from '@millrace/client';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import { Button } from '../../widgets/inputs/button.js';
import { Confirm } from '../../widgets/overlays/confirm.js';
import { DataTable } from '../../widgets/data-table.js';
import { FormDialog } from '../../widgets/overlays/form-dialog.js';
import { EmptyState, ErrorState, LoadingNotice } from '../../widgets/states.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { refreshPeople, useGroups, useRoles, useUsers } from './access-queries.js';
import styles from './access.module.css';
import { RowActions } from './row-actions.js';
import { MemberBoxes } from './member-boxes.js';

const params = { sort: textParam('name') };

type Open =
  | { readonly kind: 'edit'; readonly group: Group | undefined }
  | { readonly kind: 'delete'; readonly group: Group };

/** Groups of users with shared roles. */
export function Groups() {
  const [{ sort }, change] = useUrlState(params);
  const [open, setOpen] = useState<Open>();
  const { data, error, refetch } = useGroups();
  const { data: users = [] } = useUsers();
  const { data: roles = [] } = useRoles();
  const close = (): void => setOpen(undefined);
  if (error !== null) return <ErrorState title="Could not load groups" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice />;
  const names = (ids: readonly string[], of: readonly { readonly id: string; readonly name: string }[]): string =>
    ids.map((id) => of.find((each) => each.id === id)?.name ?? id.slice(0, 8)).join(', ') || '–';
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.about}>Members of a group inherit its roles.</p>
        <Button
          kind="primary"
          needs={{ org: 'rbac', action: 'create' }}
          onPress={() => setOpen({ kind: 'edit', group: undefined })}
        >
          <Plus aria-hidden /> New group
        </Button>
      </div>
      <DataTable
        label="Groups"
        items={data}
        idOf={({ id }) => id}
        sort={sort}
        onSort={(next) => change({ sort: next })}
        empty={<EmptyState title="No groups yet">Use groups to assign roles to several users at once.</EmptyState>}
        columns={[
          { id: 'name', title: 'Name', by: ({ name }) => name, cell: ({ name }) => <strong>{name}</strong> },
          { id: 'description', title: 'Description', cell: ({ description }) => description },
          { id: 'members', title: 'Members', cell: ({ members }) => names(members, users) },
          { id: 'roles', title: 'Roles', cell: (group) => names(group.roles, roles) },
          {
            id: 'actions',
            title: 'Actions',
            unseen: true,
            align: 'end',
            cell: (group) => (
              <RowActions
                name={group.name}
                resource="rbac"
                change={{ title: 'Edit', onPress: () => setOpen({ kind: 'edit', group }) }}
                onDelete={() => setOpen({ kind: 'delete', group })}
              />
            ),
          },
        ]}
      />
      {open?.kind === 'edit' && <EditGroup group={open.group} onClose={close} />}
      {open?.kind === 'delete' && (
        <Confirm
          title={`Delete the group ${open.group.name}?`}
          action="Delete group"
          onClose={close}
          onConfirm={async () => {
            await api.call('deleteGroup', { params: { id: open.group.id } });
            await refreshPeople();
          }}
        >
          <p>Members lose the group's roles immediately. Users are not deleted.</p>
        </Confirm>
      )}
    </>
  );
}

function EditGroup({ group, onClose }: { readonly group: Group | undefined; readonly onClose: () => void }) {
  const { data: users = [] } = useUsers();
  const { data: allRoles = [] } = useRoles();
  const [name, setName] = useState(group?.name ?? '');
  const [description, setDescription] = useState(group?.description ?? '');
  const [members, setMembers] = useState<readonly string[]>(group?.members ?? []);
  const [roles, setRoles] = useState<readonly string[]>(group?.roles ?? []);
  const submit = async (): Promise<void> => {
    const body = { name, description, members, roles };
    if (group === undefined) await api.call('createGroup', { body });
    else await api.call('updateGroup', { params: { id: group.id }, body });
    await refreshPeople();
    onClose();
  };
  return (
    <FormDialog
      title={group === undefined ? 'New group' : `Group ${group.name}`}
      action={group === undefined ? 'Create group' : 'Save group'}
      onSubmit={submit}
      onClose={onClose}
      ready={name.trim() !== ''}
    >
      <TextField label="Name" value={name} onChange={setName} autoFocus />
      <TextField label="Description" value={description} onChange={setDescription} />
      <MemberBoxes title="Members" items={users} chosen={members} onChange={setMembers} />
      <MemberBoxes title="Roles" items={allRoles} chosen={roles} onChange={setRoles} />
    </FormDialog>
  );
}
