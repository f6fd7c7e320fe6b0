import type { ReactNode } from 'react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useUserNames } from '../../data/user-names.js';
import type { RequiredPermission } from '../../data/permissions.js';
import { WithPermission } from '../../widgets/no-access.js';
import { Page } from '../../widgets/page.js';
import { Sessions } from '../../widgets/sessions.js';
import { Tabs } from '../../widgets/tabs.js';
import { readRoles, readUsers } from './access-queries.js';
import { Groups } from './groups.js';
import { Roles } from './roles.js';
import { Tokens } from './tokens.js';
import { Users } from './users.js';

const withRequiredPermission = (need: RequiredPermission, subject: string, content: ReactNode) => (
  <WithPermission need={need} subject={subject}>
    {content}
  </WithPermission>
);

const tabs = [
  { id: 'tokens', title: 'Tokens', content: <Tokens /> },
  { id: 'users', title: 'Users', content: withRequiredPermission(readUsers, 'users', <Users />) },
  { id: 'roles', title: 'Roles', content: withRequiredPermission(readRoles, 'roles', <Roles />) },
  { id: 'groups', title: 'Groups', content: withRequiredPermission(readRoles, 'groups', <Groups />) },
  { id: 'sessions', title: 'Sessions', content: <AllSessions /> },
];

/** Tokens, users, roles and groups. */
export function AccessPage() {
  const { tab } = useParams({ strict: false }) as { readonly tab?: string };
  const navigate = useNavigate();
  return (
    <Page title="Access" scrolls={false}>
      <Tabs
        label="Access"
        tabs={tabs}
        open={tabs.some(({ id }) => id === tab) ? tab! : 'tokens'}
        onOpen={(id) => void navigate({ to: `/access/${id}` as string })}
      />
    </Page>
  );
}

function AllSessions() {
  const nameOf = useUserNames();
  return <Sessions nameOf={nameOf} />;
}
