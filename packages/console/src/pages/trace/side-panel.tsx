import { X } from 'lucide-react';
import type { SpanNode } from '../../waterfall/span-tree.js';
import type { LoadedTrace, useTrace } from '../../waterfall/use-trace.js';
import { IconButton } from '../../widgets/inputs/button.js';
import { EmptyState } from '../../widgets/states.js';
import { Tabs } from '../../widgets/tabs.js';
import { SpanFields } from './span-fields.js';
import { SpanSpeed } from './span-speed.js';
import { TraceLogs } from './trace-logs.js';
import styles from './trace.module.css';

/** Open span, durations of similar spans, and logs. */
export function SidePanel({
  request,
  trace,
  node,
  tab,
  onTab,
  onClose,
}: {
  readonly request: Parameters<typeof useTrace>[0];
  readonly trace: LoadedTrace;
  readonly node: SpanNode | undefined;
  readonly tab: string;
  readonly onTab: (tab: string) => void;
  readonly onClose: () => void;
}) {
  const none = <EmptyState title="No span selected">Select a span in the waterfall.</EmptyState>;
  const tabs = [
    {
      id: 'span',
      title: 'Span',
      content: node === undefined ? none : <SpanFields key={node.key} request={request} span={node.span} />,
    },
    {
      id: 'speed',
      title: 'Latency',
      content:
        node === undefined ? none : <SpanSpeed key={node.key} request={request} trace={trace} span={node.span} />,
    },
    { id: 'logs', title: 'Logs', content: <TraceLogs request={request} trace={trace} span={node?.span} /> },
  ];
  return (
    <aside className={styles.side} aria-label="The open span">
      <Tabs
        label="What to see of the span"
        open={tabs.some(({ id }) => id === tab) ? tab : 'span'}
        onOpen={onTab}
        tabs={tabs}
        end={
          node !== undefined && (
            <IconButton small label="Close" onPress={onClose}>
              <X />
            </IconButton>
          )
        }
      />
    </aside>
  );
}
