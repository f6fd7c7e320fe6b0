import { api } from '../../data/api.js';
import { type MonitorStatus, refreshAlerts } from '../../data/alerts.js';
import { Button } from '../../widgets/inputs/button.js';

/** Acknowledges what is open: it is neither notified again nor escalated until it closes. */
export function AcknowledgeButton({ status }: { readonly status: MonitorStatus }) {
  if (status.openGroups.length === 0) return null;
  const isDone = status.openGroups.every(({ acknowledged }) => acknowledged !== undefined);
  const acknowledge = async (): Promise<void> => {
    await api.call('acknowledgeMonitor', { params: { id: status.id }, body: {} });
    await refreshAlerts();
  };
  return (
    <Button
      needs={{ org: 'monitors', action: 'update' }}
      disabled={isDone}
      hint="No repeated notification and no escalation until it resolves"
      onPress={() => void acknowledge()}
    >
      {isDone ? 'Acknowledged' : 'Acknowledge'}
    </Button>
  );
}
