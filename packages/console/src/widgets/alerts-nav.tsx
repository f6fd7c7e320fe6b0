import { Link } from '@tanstack/react-router';
import { useSilences } from '../data/alerts.js';
import styles from './page-nav.module.css';

const pages = [
  { title: 'Monitors', path: '/monitors' },
  { title: 'Incidents', path: '/monitors/incidents' },
  { title: 'SLOs', path: '/monitors/slos' },
  { title: 'Silences', path: '/monitors/silences' },
  { title: 'Notifiers', path: '/notifiers' },
  { title: 'Routes', path: '/notifiers/routes' },
] as const;

/** Links between the pages of alerts, for their bars. */
export function AlertsNav() {
  const active = useSilences().data?.filter((silence) => silence.active).length ?? 0;
  return (
    <nav className={styles.nav} aria-label="Alerts">
      {pages.map(({ title, path }) => (
        <Link
          key={path}
          to={path as string}
          className={styles.link}
          activeOptions={{ exact: true, includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          {title}
          {title === 'Silences' && active > 0 && <span className={styles.count}>{active}</span>}
        </Link>
      ))}
    </nav>
  );
}
