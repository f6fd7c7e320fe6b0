import { useNavigate } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useCatalog } from '../data/catalog.js';
import { may, needText } from '../data/permissions.js';
import { cx } from '../widgets/class-names.js';
import { Button } from '../widgets/inputs/button.js';
import { Menu } from '../widgets/overlays/menu.js';
import { useAccountGroups } from './account-groups.js';
import { PageLink } from './page-link.js';
import { pages } from './pages.js';
import styles from './sidebar.module.css';

/** Pages with a permanent place: as many as have room for their names. */
const permanentPages: ReadonlySet<string> = new Set(['query', 'live', 'traces', 'dashboards', 'monitors']);

const all = pages.filter(({ rail }) => rail !== undefined);
const others = all.filter(({ id }) => !permanentPages.has(id));

/** Main navigation at the bottom of a narrow window; further pages are in a menu. */
export function PhoneNavigation({
  onPalette,
  onKeys,
}: {
  readonly onPalette: () => void;
  readonly onKeys: () => void;
}) {
  const navigate = useNavigate();
  const capabilities = useCatalog()?.capabilities;
  const { groups } = useAccountGroups(onKeys);
  const entries = others.map(({ id, title, paths, rail, needs }) => {
    const Icon = rail!.icon;
    return {
      id: `page-${id}`,
      title,
      icon: <Icon aria-hidden />,
      barred:
        needs !== undefined && capabilities !== undefined && !may(capabilities, needs) ? needText(needs) : undefined,
      run: () => void navigate({ to: `/${paths[0]}` as string }),
    };
  });
  return (
    <nav className={cx(styles.rail, styles.phone)} aria-label="Pages">
      {all
        .filter(({ id }) => permanentPages.has(id))
        .map((page) => (
          <PageLink key={page.id} page={page} />
        ))}
      <Menu
        label="More pages"
        button={
          <Button kind="quiet" className={styles.entry} label="More pages">
            <Ellipsis aria-hidden />
            <span className={styles.label} aria-hidden>
              More
            </span>
          </Button>
        }
        groups={[{ entries: [...entries, { id: 'palette', title: 'Search and commands', run: onPalette }] }, ...groups]}
      />
    </nav>
  );
}
