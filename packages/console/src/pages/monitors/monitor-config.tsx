import { Link } from '@tanstack/react-router';
import type { Monitor, Notifier } from '../../data/alerts.js';
import { CopyButton } from '../../widgets/copy-button.js';
import { DescriptionList } from '../../widgets/description-list.js';
import { RelativeTime } from '../../widgets/relative-time.js';
import { conditionOf, labelLines, severityOf, severityTitles, typeTitles } from './describe-monitor.js';
import { flagFields, numberFields } from './form-fields.js';
import styles from './monitors.module.css';

/** Properties of a monitor that differ from the defaults. */
export function MonitorConfig({
  monitor,
  notifiers,
}: {
  readonly monitor: Monitor;
  readonly notifiers: readonly Notifier[];
}) {
  const { type, aplQuery, mplQuery = '', description, columnName, notifierIds, updatedAt } = monitor;
  const notifierNames = notifierIds.map((id) => notifiers.find((each) => each.id === id)?.name ?? id);
  const numbers = numberFields.filter(
    ({ id, types, always, optional }) =>
      types.includes(type) &&
      id !== 'threshold' &&
      monitor[id] !== undefined &&
      (always === true || optional === true || monitor[id] !== 0),
  );
  const flags = flagFields.filter(({ id, types }) => types.includes(type) && monitor[id]);
  return (
    <>
      {description !== undefined && <p>{description}</p>}
      <pre className={styles.query} tabIndex={0}>
        {aplQuery || mplQuery}
      </pre>
      <div className={styles.line}>
        {aplQuery !== '' && (
          <Link
            to={'/query' as string}
            search={{ q: aplQuery, from: `now-${Math.max(60, monitor.rangeMinutes)}m` } as never}
          >
            Open in Query
          </Link>
        )}
        <CopyButton text={aplQuery || mplQuery} label="Copy the query" />
      </div>
      <DescriptionList
        facts={[
          ['Type', typeTitles[type]],
          ['Condition', conditionOf(monitor)],
          ...(columnName === undefined ? [] : [['Column', columnName] as const]),
          ...numbers.map(
            ({ id, title, unit }) =>
              [title, monitor[id] === 1 ? `1 ${unit.replace(/s$/, '')}` : `${monitor[id]} ${unit}`] as const,
          ),
          ...flags.map(({ title }) => [title, 'yes'] as const),
          ['Severity', severityTitles[severityOf(monitor)]],
          ...labelLines(monitor).map((line) => ['Label', line] as const),
          ['Notifiers', notifierNames.length === 0 ? 'none' : notifierNames.join(', ')],
          ['Changed', <RelativeTime key="changed" at={updatedAt} />],
          ['ID', <code key="id">{monitor.id}</code>],
        ]}
      />
    </>
  );
}
