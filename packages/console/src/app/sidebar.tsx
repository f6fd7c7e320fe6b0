import { CircleUser, Command, PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { setPreferences, usePreferences } from '../data/preferences.js';
import type { PageMeta } from '../pages/page-meta.js';
import { cx } from '../widgets/class-names.js';
import { IconButton } from '../widgets/inputs/button.js';
import { Menu } from '../widgets/overlays/menu.js';
import { useNarrow } from '../widgets/use-narrow-screen.js';
import { useAccountGroups } from './account-groups.js';
import { PageLink } from './page-link.js';
import { pages } from './pages.js';
import { PhoneNavigation } from './phone-navigation.js';
import styles from './sidebar.module.css';
import { Mark } from './sign-in.js';

interface NavigationProps {
  readonly onPalette: () => void;
  readonly onKeys: () => void;
}

/** Main navigation. */
export const Sidebar = (props: NavigationProps) =>
  useNarrow() ? <PhoneNavigation {...props} /> : <WideSidebar {...props} />;

const WideSidebar = ({ onPalette, onKeys }: NavigationProps) => (
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

const entry = (page: PageMeta) => <PageLink key={page.id} page={page} />;

/** Shows or hides the names of pages. */
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

/** User menu. */
function Account({ onKeys }: { readonly onKeys: () => void }) {
  const { who, groups } = useAccountGroups(onKeys);
  return (
    <Menu
      label={who}
      button={
        <IconButton label={who}>
          <CircleUser />
        </IconButton>
      }
      groups={groups}
    />
  );
}
