import { signOut } from '../data/api.js';
import { useCatalog } from '../data/catalog.js';
import { keepPreferencesOf, setPreferences, usePreferences } from '../data/preferences.js';
import { switchOrganization } from '../data/organization.js';
import { queryClient } from '../data/query-client.js';
import { signedOut } from '../data/session.js';
import type { MenuGroup } from '../widgets/overlays/menu.js';

/** Signs out here, and at the sign-in provider if the server names a page for that. */
async function leaveSession(): Promise<void> {
  const url = await signOut().catch(() => undefined);
  queryClient.clear();
  if (url === undefined) signedOut();
  else location.assign(url);
}

/** User menu: appearance, keyboard shortcuts and sign-out. */
export function useAccountGroups(onKeys: () => void): {
  readonly who: string;
  readonly groups: readonly MenuGroup[];
} {
  const catalog = useCatalog();
  const principal = catalog?.principal;
  const organizations = catalog?.organizations ?? [];
  const { theme, density } = usePreferences();
  const who = principal === undefined ? 'Account' : (principal.userName ?? principal.tokenName);
  const groups: readonly MenuGroup[] = [
    {
      title: who,
      entries: [
        { id: 'keys', title: 'Keyboard shortcuts', keys: '?', run: onKeys },
        {
          id: 'density',
          title: density === 'normal' ? 'Compact rows' : 'Comfortable rows',
          run: () => setPreferences({ density: density === 'normal' ? 'compact' : 'normal' }),
        },
      ],
    },
    ...(organizations.length === 0
      ? []
      : [
          {
            title: 'Organization',
            entries: organizations.map(({ id, name, current }) => ({
              id,
              title: current ? `${name} ✓` : name,
              run: () => {
                keepPreferencesOf(organizations.find((each) => each.current)?.id);
                switchOrganization(id);
              },
            })),
          },
        ]),
    {
      title: 'Theme',
      entries: (['system', 'dark', 'light'] as const).map((each) => ({
        id: each,
        title: `${{ system: 'System', dark: 'Dark', light: 'Light' }[each]}${each === theme ? ' ✓' : ''}`,
        run: () => setPreferences({ theme: each }),
      })),
    },
    { entries: [{ id: 'leave', title: 'Sign out', run: () => void leaveSession() }] },
  ];
  return { who, groups };
}
