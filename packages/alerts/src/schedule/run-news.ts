import type { Notifier } from '@millrace/api/schemas/notifier';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import type { RunWindow } from '../evaluate/evaluate.js';
import { isLow, severityOf } from '../outbox/compose.js';
import type { GroupNews } from '../outbox/receiver-state.js';
import type { RunNews } from '../outbox/receiver-store.js';
import { describeChange } from '../outbox/message-text.js';
import type { AudibleChange } from '../silences/audible-changes.js';
import type { MonitorState } from '../state/state.js';
import type { Change } from '../state/transition.js';

/** What receivers learn from a run. */

interface RunDecision {
  readonly before: MonitorState;
  readonly changes: readonly AudibleChange[];
  readonly open: readonly Change[] | undefined;
  readonly receivers: readonly Notifier[];
  /** Why it notifies no notifier. */
  readonly quiet: string | undefined;
  readonly time: number;
  readonly window: RunWindow;
}

/** What a run changes for receivers. */
export function newsOf(monitor: StoredMonitor, decided: RunDecision): RunNews {
  const { before, changes, open, receivers, quiet, time, window } = decided;
  const inMessage = (change: AudibleChange): GroupNews => ({
    group: change.group,
    keys: change.keys,
    labels: change.labels,
    action: change.action,
    again: change.again,
    news: {
      text: describeChange(change, monitor),
      value: change.value,
      severity: severityOf(monitor, change.why),
      time: change.time ?? time,
      ...(change.window ?? window),
    },
  });
  return {
    about: {
      title: monitor.name,
      description: monitor.description ?? '',
      skipResolved: monitor.skipResolved,
      severity: severityOf(monitor),
      isLow: isLow(monitor),
    },
    notifierIds: receivers.map((notifier) => notifier.id),
    changes: changes.map(inMessage),
    open: open?.map(inMessage),
    over: {
      text: quiet ?? 'The monitor no longer notifies here',
      value: 0,
      severity: severityOf(monitor),
      time,
      ...window,
    },
    isFromOlderVersion: before.followed !== true,
  };
}
