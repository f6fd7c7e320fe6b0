import { Link } from '@tanstack/react-router';
import { CircleUser, Command } from 'lucide-react';
import { signOut } from '../data/api.js';
import { useCatalogue } from '../data/catalogue.js';
import { queryClient } from '../data/query-client.js';
import { needText } from '../data/rights.js';
import { may } from '../data/rights.js';
import { signedOut } from '../data/session.js';
import { setTaste, useTaste } from '../data/taste.js';
import type { PageAbout } from '../pages/page-about.js';
import { IconButton } from '../widgets/inputs/button.js';
import { cx } from '../widgets/class-names.js';
import { Menu } from '../widgets/overlays/menu.js';
import { pages } from './page-table.js';
import styles from './rail.module.css';
import { Mark } from './sign-in.js';

/** The one navigation there is. */
export const Rail = ({ onPalette, onKeys }: { readonly onPalette: () => void; readonly onKeys: () => void }) => (
  <nav className={styles.rail} aria-label="Pages">
    <span className={styles.mark}>
      <Mark />
    </span>
    {pages.filter(({ rail }) => rail?.group === 'work').map(entry)}
    <span className={styles.space} />
    {pages.filter(({ rail }) => rail?.group === 'server').map(entry)}
    <IconButton label="Search and commands" onPress={onPalette}>
      <Command />
    </IconButton>
    <Account onKeys={onKeys} />
  </nav>
);

const entry = (page: PageAbout) => <Entry key={page.id} page={page} />;

const noBadge = (): undefined => undefined;

function Entry({ page: { title, paths, rail, needs } }: { readonly page: PageAbout }) {
  const catalogue = useCatalogue();
  const Icon = rail!.icon;
  const badge = (rail!.useBadge ?? noBadge)();
  const barred = needs !== undefined && catalogue !== undefined && !may(catalogue.capabilities, needs);
  return (
    <Link
      to={`/${paths[0]}` as string}
      className={cx(styles.entry, barred && styles.barred)}
      activeProps={{ 'data-active': true }}
      activeOptions={{ includeSearch: false }}
      aria-label={barred ? `${title}. ${needText(needs)}` : badge === undefined ? title : `${title}, ${badge.says}`}
    >
      <Icon aria-hidden />
      {badge !== undefined && (
        <span className={styles.badge} aria-hidden>
          {badge.count > 99 ? '99+' : badge.count}
        </span>
      )}
      <span className={styles.label} aria-hidden>
        {title}
      </span>
    </Link>
  );
}

/** Who is signed in, and what is theirs: the look, the keys, the way out. */
function Account({ onKeys }: { readonly onKeys: () => void }) {
  const principal = useCatalogue()?.principal;
  const { theme, density } = useTaste();
  const who = principal === undefined ? 'Account' : (principal.userName ?? principal.tokenName);
  const leave = (): void => {
    void signOut().finally(() => {
      queryClient.clear();
      signedOut();
    });
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
            { id: 'keys', title: 'Keys', keys: '?', run: onKeys },
            {
              id: 'density',
              title: density === 'normal' ? 'Compact rows' : 'Normal rows',
              run: () => setTaste({ density: density === 'normal' ? 'compact' : 'normal' }),
            },
          ],
        },
        {
          title: 'Theme',
          entries: (['system', 'dark', 'light'] as const).map((each) => ({
            id: each,
            title: `${{ system: 'As the system', dark: 'Dark', light: 'Light' }[each]}${each === theme ? ' ✓' : ''}`,
            run: () => setTaste({ theme: each }),
          })),
        },
        { entries: [{ id: 'leave', title: 'Sign out', run: leave }] },
      ]}
    />
  );
}
