import { MoreMenu } from '../../widgets/overlays/more-menu.js';
import { promqlOf, type useQueryActions } from './query-actions.js';
import type { Range } from '../../data/time/ranges.js';

/** Further actions on the query. */
export function QueryMenu({
  q,
  range,
  actions,
  onFormat,
}: {
  readonly q: string;
  readonly range: Range;
  readonly actions: ReturnType<typeof useQueryActions>;
  readonly onFormat: () => void;
}) {
  const translated = promqlOf(q, range);
  return (
    <MoreMenu
      groups={[
        {
          entries: [
            { id: 'monitor', title: 'Create a monitor…', keys: 'M', run: actions.createMonitor },
            {
              id: 'promql',
              title: 'Copy as PromQL',
              keys: 'P',
              run: actions.copyPromql,
              barred: translated.kind === 'problem' ? translated.message : undefined,
            },
            { id: 'format', title: 'Format the query', run: onFormat },
          ],
        },
      ]}
    />
  );
}
