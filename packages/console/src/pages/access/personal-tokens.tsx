import type { PersonalToken } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { useCatalog } from '../../data/catalog.js';
import { queryClient } from '../../data/query-client.js';
import { useUserNames } from '../../data/user-names.js';
import { Button } from '../../widgets/inputs/button.js';
import { Confirm } from '../../widgets/overlays/confirm.js';
import { DataTable } from '../../widgets/data-table.js';
import { FormDialog } from '../../widgets/overlays/form-dialog.js';
import { Day } from '../../widgets/relative-time.js';
import { ErrorState, LoadingNotice } from '../../widgets/states.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import styles from './access.module.css';
import { type Expiry, expiryDate, ExpirySelect } from './expiry.js';
import type { Secret } from './secret.js';
import { timeColumns } from './token-columns.js';

const personalKey = ['personal-tokens'] as const;

/** Tokens with all permissions of their user. */
export function PersonalTokens({ onMade }: { readonly onMade: (secret: Secret) => void }) {
  const [sort, setSort] = useState('name');
  const [making, setMaking] = useState(false);
  const [deleting, setDeleting] = useState<PersonalToken>();
  const nameOf = useUserNames();
  const isPersonal = useCatalog()?.principal.kind !== 'api-token';
  const { data, error, refetch } = useQuery({
    queryKey: personalKey,
    queryFn: ({ signal }) => api.call('listPersonalTokens', { signal }),
    staleTime: 0,
  });
  return (
    <>
      <div className={styles.bar}>
        <div>
          <h2>Personal tokens</h2>
          <p className={styles.about}>Personal tokens carry their user's current permissions.</p>
        </div>
        <Button
          unavailable={isPersonal ? undefined : 'Sign in with a personal token to create one'}
          onPress={() => setMaking(true)}
        >
          <Plus aria-hidden /> New personal token
        </Button>
      </div>
      {error !== null ? (
        <ErrorState title="Could not load personal tokens" error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingNotice lines={2} />
      ) : (
        <DataTable
          label="Personal tokens"
          items={data}
          idOf={({ id }) => id}
          sort={sort}
          onSort={setSort}
          columns={[
            { id: 'name', title: 'Name', by: ({ name }) => name, cell: ({ name }) => <strong>{name}</strong> },
            { id: 'user', title: 'User', by: ({ userId }) => nameOf(userId), cell: ({ userId }) => nameOf(userId) },
            {
              id: 'created',
              title: 'Created',
              aside: true,
              by: ({ created }) => created,
              cell: ({ created }) => <Day at={created} />,
            },
            ...timeColumns,
            {
              id: 'actions',
              title: 'Actions',
              unseen: true,
              align: 'end',
              cell: (token) => (
                <Button small kind="danger" label={`Delete ${token.name}`} onPress={() => setDeleting(token)}>
                  Delete
                </Button>
              ),
            },
          ]}
        />
      )}
      {making && (
        <CreatePersonalToken
          onClose={() => setMaking(false)}
          onMade={(secret) => {
            setMaking(false);
            onMade(secret);
            void queryClient.invalidateQueries({ queryKey: personalKey });
          }}
        />
      )}
      {deleting !== undefined && (
        <Confirm
          title={`Delete the personal token ${deleting.name}?`}
          action="Delete token"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await api.call('deletePersonalToken', { params: { id: deleting.id } });
            await queryClient.invalidateQueries({ queryKey: personalKey });
          }}
        >
          <p>Clients using this token are rejected immediately. Sessions started with it end, including this one.</p>
        </Confirm>
      )}
    </>
  );
}

function CreatePersonalToken({
  onMade,
  onClose,
}: {
  readonly onMade: (secret: Secret) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('90');
  const submit = async (): Promise<void> => {
    const expiresAt = expiryDate(expiry);
    const made = await api.call('createPersonalToken', {
      body: { name, ...(expiresAt !== undefined && { expiresAt }) },
    });
    onMade({ name: made.name, token: made.token });
  };
  return (
    <FormDialog
      title="New personal token"
      action="Create token"
      onSubmit={submit}
      onClose={onClose}
      ready={name.trim() !== ''}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        placeholder={'Where the token is used, for example "laptop"'}
        autoFocus
      />
      <ExpirySelect value={expiry} onChange={setExpiry} />
    </FormDialog>
  );
}
