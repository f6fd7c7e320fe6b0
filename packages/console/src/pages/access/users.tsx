import type { User } from '@millrace/client';
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
import { refreshPeople, useGroups, useRoles, useUsers } from './access-queries.js';
import styles from './access.module.css';
import { RowActions } from './row-actions.js';

const params = { sort: textParam('name') };

type Open = { readonly kind: 'new' } | { readonly kind: 'role' | 'delete'; readonly user: User };

/** Users, their role and groups. */
export function Users() {
  const [{ sort }, change] = useUrlState(params);
  const [open, setOpen] = useState<Open>();
  const { data, error, refetch } = useUsers();
  const { data: groups = [] } = useGroups();
  const me = useCatalog()?.principal.userId;
  const close = (): void => setOpen(undefined);
  if (error !== null) return <ErrorState title="Could not load users" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingNotice />;
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.about}>Users have the permissions of their role and groups.</p>
        <Button kind="primary" needs={{ org: 'users', action: 'create' }} onPress={() => setOpen({ kind: 'new' })}>
          <Plus aria-hidden /> New user
        </Button>
      </div>
      <DataTable
        label="Users"
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
                <strong>{name}</strong> {id === me && <Chip tone="accent">you</Chip>}
              </>
            ),
          },
          { id: 'email', title: 'E-mail', by: ({ email }) => email, cell: ({ email }) => email },
          { id: 'role', title: 'Role', by: ({ role }) => role.name, cell: ({ role }) => role.name },
          {
            id: 'groups',
            title: 'Groups',
            cell: ({ id }) =>
              groups
                .filter(({ members }) => members.includes(id))
                .map(({ name }) => name)
                .join(', ') || '–',
          },
          {
            id: 'actions',
            title: 'Actions',
            unseen: true,
            align: 'end',
            cell: (user) => (
              <RowActions
                name={user.name}
                resource="users"
                change={{ title: 'Change role', of: 'of', onPress: () => setOpen({ kind: 'role', user }) }}
                onDelete={() => setOpen({ kind: 'delete', user })}
              />
            ),
          },
        ]}
      />
      {open?.kind === 'new' && <CreateUser onClose={close} />}
      {open?.kind === 'role' && <ChangeRole user={open.user} onClose={close} />}
      {open?.kind === 'delete' && (
        <Confirm
          title={`Delete ${open.user.name}?`}
          action="Delete user"
          onClose={close}
          onConfirm={async () => {
            await api.call('deleteUser', { params: { id: open.user.id } });
            await refreshPeople();
          }}
        >
          <p>Their personal tokens and sessions are revoked. API tokens they created remain.</p>
        </Confirm>
      )}
    </>
  );
}

const RoleSelect = ({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) => {
  const { data: roles = [] } = useRoles();
  return (
    <Select
      label="Role"
      value={value}
      onChange={onChange}
      choices={roles.map(({ id, name, description }) => ({ id, title: name, description }))}
    />
  );
};

function CreateUser({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('user');
  const submit = async (): Promise<void> => {
    await api.call('createUser', { body: { name, email, role } });
    await refreshPeople();
    onClose();
  };
  return (
    <FormDialog
      title="New user"
      action="Create user"
      onSubmit={submit}
      onClose={onClose}
      ready={name !== '' && email !== ''}
    >
      <p>No invitation is sent. To grant access, create a personal token for the user with the CLI.</p>
      <TextField label="Name" value={name} onChange={setName} autoFocus />
      <TextField label="E-mail" value={email} onChange={setEmail} type="email" />
      <RoleSelect value={role} onChange={setRole} />
    </FormDialog>
  );
}

function ChangeRole({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const [role, setRole] = useState(user.role.id);
  const submit = async (): Promise<void> => {
    await api.call('updateUserRole', { params: { id: user.id }, body: { role } });
    await refreshPeople();
    onClose();
  };
  return (
    <FormDialog
      title={`The role of ${user.name}`}
      action="Change role"
      onSubmit={submit}
      onClose={onClose}
      ready={role !== user.role.id}
    >
      <RoleSelect value={role} onChange={setRole} />
      <p className={styles.quiet}>Takes effect immediately, including for existing tokens and sessions.</p>
    </FormDialog>
  );
}
