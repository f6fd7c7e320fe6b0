import type { Token } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { useAllowed } from '../../data/catalog.js';
import { queryClient } from '../../data/query-client.js';
import { choiceParam, textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import { Button } from '../../widgets/inputs/button.js';
import { Confirm } from '../../widgets/overlays/confirm.js';
import { DataTable } from '../../widgets/data-table.js';
import { WithPermission } from '../../widgets/no-access.js';
import { EmptyState, ErrorState, LoadingNotice } from '../../widgets/states.js';
import { readTokens } from './access-queries.js';
import styles from './access.module.css';
import { RowActions } from './row-actions.js';
import { CreateToken } from './create-token.js';
import { PersonalTokens } from './personal-tokens.js';
import { RegenerateToken } from './regenerate-token.js';
import { rightsInWords } from './resources.js';
import { type Secret, SecretOnce } from './secret.js';
import { timeColumns } from './token-columns.js';

const params = { sort: textParam('name'), new: choiceParam(['', 'token'] as const, '') };
const tokensKey = ['tokens'] as const;

type Open =
  | { readonly kind: 'secret'; readonly secret: Secret }
  | { readonly kind: 'regenerate' | 'delete'; readonly token: Token };

/** API tokens with their permissions, and personal tokens. */
export function Tokens() {
  const [{ sort, new: making }, change] = useUrlState(params);
  const [open, setOpen] = useState<Open>();
  const enabled = useAllowed(readTokens);
  const { data, error, refetch } = useQuery({
    queryKey: tokensKey,
    enabled,
    queryFn: ({ signal }) => api.call('listTokens', { query: { include: 'lastUsed' }, signal }),
    staleTime: 0,
  });
  const showSecret = (secret: Secret): void => {
    change({ new: '' });
    setOpen({ kind: 'secret', secret });
    void queryClient.invalidateQueries({ queryKey: tokensKey });
  };
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.about}>API tokens for applications, limited to the permissions listed.</p>
        <Button kind="primary" needs={{ org: 'apiTokens', action: 'create' }} onPress={() => change({ new: 'token' })}>
          <Plus aria-hidden /> New token
        </Button>
      </div>
      {!enabled ? (
        <WithPermission need={readTokens} subject="API tokens">
          {null}
        </WithPermission>
      ) : error !== null ? (
        <ErrorState title="Could not load tokens" error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingNotice />
      ) : (
        <DataTable
          label="Tokens"
          items={data}
          idOf={({ id }) => id}
          sort={sort}
          onSort={(next) => change({ sort: next })}
          empty={
            <EmptyState title="No API tokens yet">
              Create one per application so that each can be revoked separately.
            </EmptyState>
          }
          columns={[
            { id: 'name', title: 'Name', by: ({ name }) => name, cell: ({ name }) => <strong>{name}</strong> },
            {
              id: 'rights',
              title: 'Permissions',
              cell: (token) => rightsInWords(token).map((each) => <div key={each}>{each}</div>),
            },
            ...timeColumns,
            {
              id: 'actions',
              title: 'Actions',
              unseen: true,
              align: 'end',
              cell: (token) => (
                <RowActions
                  name={token.name}
                  resource="apiTokens"
                  change={{ title: 'Regenerate…', of: 'for', onPress: () => setOpen({ kind: 'regenerate', token }) }}
                  onDelete={() => setOpen({ kind: 'delete', token })}
                />
              ),
            },
          ]}
        />
      )}
      <PersonalTokens onMade={(secret) => setOpen({ kind: 'secret', secret })} />
      {making === 'token' && <CreateToken onMade={showSecret} onClose={() => change({ new: '' })} />}
      {open?.kind === 'secret' && <SecretOnce secret={open.secret} onClose={() => setOpen(undefined)} />}
      {open?.kind === 'regenerate' && (
        <RegenerateToken token={open.token} onMade={showSecret} onClose={() => setOpen(undefined)} />
      )}
      {open?.kind === 'delete' && (
        <Confirm
          title={`Delete the token ${open.token.name}?`}
          action="Delete token"
          onClose={() => setOpen(undefined)}
          onConfirm={async () => {
            await api.call('deleteToken', { params: { id: open.token.id } });
            await queryClient.invalidateQueries({ queryKey: tokensKey });
          }}
        >
          <p>Clients using this token are rejected immediately. Sessions started with it end.</p>
        </Confirm>
      )}
    </>
  );
}
