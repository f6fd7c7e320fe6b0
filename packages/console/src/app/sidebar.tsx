import { Link } from '@tanstack/react-router';
import { CircleUser, Command, PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { signOut } from '../data/api.js';
import { useCatalogue } from '../data/catalog.js';
import { queryClient } from '../data/query-client.js';
import { needText } from '../data/permissions.js';
import { may } from '../data/permissions.js';
import { signedOut } from '../data/session.js';
import { setPreferences, usePreferences } from '../data/preferences.js';
import type { PageMeta } from '../pages/page-meta.js';
import { IconButton } from '../widgets/inputs/button.js';
import { cx } from '../widgets/class-names.js';
import { Menu } from '../widgets/overlays/menu.js';
import { pages } from './pages.js';
import styles from './sidebar.module.css';
import { Mark } from './sign-in.js';

/** Main navigation. */
export const Sidebar = ({ onPalette, onKeys }: { readonly onPalette: () => void; readonly onKeys: () => void }) => (
  <nav className={cx(styles.rail, usePreferences().showPageNames && styles.named)} aria-label="Pages">
    <span className={styles.mark}>
      <Mark />
    </span>
    {pages.filter(({ rail }) => rail?.group === 'work').map(entry)}
    <span className={styles.space} />
    {pages.filter(({ rail }) => rail?.group === 'server').map(entry)}
    <div className={styles.tools}>
      <IconButton label="Search and commands" onPress={onPalette}>
        <Command />
      </IconButton>
      <NamesToggle />
      <Account onKeys={onKeys} />
    </div>
  </nav>
);

/** Shows or hides the names of pages; a narrow window has no room for them. */
function NamesToggle() {
  const { showPageNames } = usePreferences();
  return (
    <span className={styles.toggle}>
      <IconButton
        label={showPageNames ? 'Collapse sidebar' : 'Expand sidebar'}
        onPress={() => setPreferences({ showPageNames: !showPageNames })}
      >
        {showPageNames ? <PanelLeftClose /> : <PanelLeftOpen />}
      </IconButton>
    </span>
  );
}

const entry = (page: PageMeta) => <Entry key={page.id} page={page} />;

const noBadge = (): undefined => undefined;

function Entry({ page: { title, paths, rail, needs } }: { readonly page: PageMeta }) {
  const catalogue = useCatalogue();
  const Icon = rail!.icon;
  const badge = (rail!.useBadge ?? noBadge)();
  const denied = needs !== undefined && catalogue !== undefined && !may(catalogue.capabilities, needs);
  return (
    <Link
      to={`/${paths[0]}` as string}
      className={cx(styles.entry, denied && styles.denied)}
      activeProps={{ 'data-active': true }}
      activeOptions={{ includeSearch: false }}
      aria-label={denied ? `${title}. ${needText(needs)}` : badge === undefined ? title : `${title}, ${badge.says}`}
    >
      <Icon aria-hidden />
      {badge !== undefined && (
        // Generated content: the accessible name has the count in words.
        <span className={styles.badge} data-count={badge.count > 99 ? '99+' : badge.count} aria-hidden />
      )}
      <span className={styles.label} aria-hidden>
        {title}
      </span>
    </Link>
  );
}

/** Signs out here, and at the sign-in provider if the server names a page for that. */
async function leaveSession(): Promise<void> {
  const url = await signOut().catch(() => undefined);
  queryClient.clear();
  if (url === undefined) signedOut();
  else location.assign(url);
}

/** User menu: appearance, keyboard shortcuts and sign-out. */
function Account({ onKeys }: { readonly onKeys: () => void }) {
  const principal = useCatalogue()?.principal;
  const { theme, density } = usePreferences();
  const who = principal === undefined ? 'Account' : (principal.userName ?? principal.tokenName);
  const leave = (): void => {
    void leaveSession();
  };
  return (
    <Menu
      label={who}
      button={
        <IconButton label={who}>
          <CircleUser />
        </IconButton>
      }
      groups={[
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
        {
          title: 'Theme',
          entries: (['system', 'dark', 'light'] as const).map((each) => ({
            id: each,
            title: `${{ system: 'System', dark: 'Dark', light: 'Light' }[each]}${each === theme ? ' ✓' : ''}`,
            run: () => setPreferences({ theme: each }),
          })),
        },
        { entries: [{ id: 'leave', title: 'Sign out', run: leave }] },
      ]}
    />
  );
}
