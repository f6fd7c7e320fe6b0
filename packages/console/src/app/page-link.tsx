import { Link, useLocation } from '@tanstack/react-router';
import { useCatalog } from '../data/catalog.js';
import { may, needText } from '../data/permissions.js';
import type { PageMeta } from '../pages/page-meta.js';
import { cx } from '../widgets/class-names.js';
import styles from './sidebar.module.css';

const noBadge = (): undefined => undefined;

/** Link to a page in the main navigation, with its icon, name and badge. */
export function PageLink({ page: { title, paths, rail, needs } }: { readonly page: PageMeta }) {
  const catalog = useCatalog();
  const Icon = rail!.icon;
  const standsFor = useLocation({ select: ({ pathname }) => rail!.also?.test(pathname) });
  const badge = (rail!.useBadge ?? noBadge)();
  const denied = needs !== undefined && catalog !== undefined && !may(catalog.capabilities, needs);
  return (
    <Link
      to={`/${paths[0]}` as string}
      className={cx(styles.entry, denied && styles.denied)}
      data-active={standsFor || undefined}
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
