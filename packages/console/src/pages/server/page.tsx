import { useQuery } from '@tanstack/react-query';
import { api, Unreachable } from '../../data/api.js';
import { roughDuration } from '../../data/format-units.js';
import { useNow } from '../../data/use-now.js';
import { Chip } from '../../widgets/chip.js';
import { BarSpace, Page } from '../../widgets/page.js';
import { Section, Sections } from '../../widgets/section.js';
import { ErrorState, LoadingNotice } from '../../widgets/states.js';
import { Nodes } from './nodes.js';
import { total } from './prometheus-text.js';
import { Disk } from './disk.js';
import { Recent } from './recent.js';
import { RunningQueries } from './running-queries.js';
import styles from './server.module.css';
import { tiles } from './tile-table.js';
import { TileView } from './tile-view.js';
import { useScrapes } from './use-scrapes.js';

const HEALTH_MILLISECONDS = 5000;

/** Health and activity of the server. */
export function ServerPage() {
  const { data: scrapes, error, refetch } = useScrapes();
  const { data: health } = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => api.call('getHealth', { signal }),
    staleTime: 0,
    refetchInterval: HEALTH_MILLISECONDS,
    retry: false,
  });
  const now = useNow();
  const latest = scrapes?.at(-1);
  const started = latest === undefined ? undefined : total(latest, 'millrace_process_start_seconds');
  const away = error instanceof Unreachable;
  return (
    <Page
      title="Server"
      flow={away ? 'failed' : latest === undefined ? 'running' : 'live'}
      bar={
        <>
          {away ? (
            <Chip tone="bad">unreachable</Chip>
          ) : (
            health !== undefined && (
              <Chip tone={({ ok: 'good', incomplete: 'warn', unavailable: 'bad' } as const)[health.status]}>
                {health.status === 'ok' ? 'healthy' : health.status}
              </Chip>
            )
          )}
          <BarSpace />
          {started !== undefined && <span className={styles.note}>up {roughDuration(now - started * 1000)}</span>}
          {latest !== undefined && (
            <span className={styles.note}>updated {Math.max(0, Math.round((now - latest.at) / 1000))} s ago</span>
          )}
        </>
      }
    >
      {health !== undefined && health.reasons.length > 0 && (
        <ul className={styles.reasons} role="status">
          {health.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {scrapes === undefined ? (
        error === null ? (
          <LoadingNotice />
        ) : (
          <ErrorState title="Could not load metrics" error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <div className={styles.groups}>
          {[...new Set(tiles.map(({ group }) => group))].map((group) => (
            <section key={group} aria-label={group}>
              <h2 className={styles.group}>{group}</h2>
              <div className={styles.tiles}>
                {tiles
                  .filter((tile) => tile.group === group)
                  .map((tile) => (
                    <TileView key={tile.id} tile={tile} scrapes={scrapes} />
                  ))}
              </div>
            </section>
          ))}
        </div>
      )}
      <div className={styles.lists}>
        <Sections>
          <Nodes />
          <Section title="Disk by dataset" about="Disk usage and daily growth per dataset">
            <Disk />
          </Section>
          <Section title="Running queries" about="Queued and running queries, oldest first">
            <RunningQueries />
          </Section>
          <Section title="Recent queries" about="Queries from the history">
            <Recent />
          </Section>
        </Sections>
      </div>
    </Page>
  );
}
