import { ChevronDown, ChevronUp, Link2, X } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { eventJson } from '../../../rows/event-json.js';
import { EventTree } from '../../../rows/json-tree.js';
import { FieldList } from '../../../rows/field-list.js';
import type { RowSource } from '../../../rows/row-source.js';
import { traceOf } from '../../../rows/trace-links.js';
import { IconButton } from '../../../widgets/inputs/button.js';
import { CopyButton } from '../../../widgets/copy-button.js';
import { copyText } from '../../../widgets/copy-text.js';
import { LoadingNotice } from '../../../widgets/states.js';
import { Tabs } from '../../../widgets/tabs.js';
import { ContextTab } from './context-tab.js';
import styles from './detail.module.css';
import type { QueryStateAccess } from '../query-state.js';
import { ReceiptTab } from './receipt-tab.js';
import type { RowPointer } from '../result/use-row-pointer.js';

const TraceTab = lazy(() => import('./trace-tab.js').then(({ TraceTab }) => ({ default: TraceTab })));

/** Details of one row. */
export function Detail({
  access,
  source,
  row,
  pointer,
  dataset,
}: {
  readonly access: QueryStateAccess;
  readonly source: RowSource;
  readonly row: number;
  readonly pointer: RowPointer;
  readonly dataset: string | undefined;
}) {
  const { state, zone, change } = access;
  const cursor = source.cursor(row);
  const trace = traceOf(source, row);
  const isEvent = cursor !== undefined && dataset !== undefined;
  const tabs = [
    { id: 'fields', title: 'Fields', content: <FieldList source={source} row={row} zone={zone} /> },
    {
      id: 'json',
      title: 'JSON',
      content: (
        <div className={styles.json}>
          <EventTree source={source} row={row} label="JSON" />
        </div>
      ),
    },
    ...(isEvent
      ? [
          {
            id: 'context',
            title: 'Context',
            content: (
              <ContextTab key={cursor} dataset={dataset} cursor={cursor} source={source} row={row} zone={zone} />
            ),
          },
          ...(trace === undefined
            ? []
            : [
                {
                  id: 'trace',
                  title: 'Trace',
                  content: (
                    <Suspense fallback={<LoadingNotice />}>
                      <TraceTab key={trace.traceId} trace={trace} dataset={dataset} />
                    </Suspense>
                  ),
                },
              ]),
          {
            id: 'receipt',
            title: 'Receipt',
            content: <ReceiptTab key={cursor} cursor={cursor} source={source} row={row} zone={zone} />,
          },
        ]
      : []),
  ];
  const open = tabs.some(({ id }) => id === state.tab) ? state.tab : 'fields';
  return (
    <aside className={styles.detail} aria-label="Row details">
      <Tabs
        label="Row detail tabs"
        open={open}
        onOpen={(tab) => change({ tab })}
        tabs={tabs}
        end={
          <span className={styles.tools}>
            <IconButton small label="Previous row" onPress={() => pointer.move(-1)}>
              <ChevronUp />
            </IconButton>
            <IconButton small label="Next row" onPress={() => pointer.move(1)}>
              <ChevronDown />
            </IconButton>
            <IconButton
              small
              label="Copy a link to this row"
              onPress={() => void copyText(location.href, 'Link copied')}
            >
              <Link2 />
            </IconButton>
            <CopyButton text={() => eventJson(source, row)} label="Copy as JSON" />
            <IconButton small label="Close" onPress={pointer.close}>
              <X />
            </IconButton>
          </span>
        }
      />
    </aside>
  );
}
