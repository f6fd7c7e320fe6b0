import { MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../data/api.js';
import { refreshAlerts, type Silence } from '../../../data/alerts.js';
import { useMay } from '../../../data/catalog.js';
import { needText } from '../../../data/permissions.js';
import { IconButton } from '../../../widgets/inputs/button.js';
import { Confirm } from '../../../widgets/overlays/confirm.js';
import { Menu } from '../../../widgets/overlays/menu.js';
import { notify } from '../../../widgets/overlays/toast.js';
import { errorText } from '../../../widgets/states.js';
import type { SilenceState } from './describe-silence.js';

const update = { org: 'monitors', action: 'update' } as const;

/** Menu of a silence: edit, end, create again, delete. */
export function SilenceActions({
  silence,
  state,
  onEdit,
  onAgain,
}: {
  readonly silence: Silence;
  readonly state: SilenceState;
  readonly onEdit: () => void;
  /** Starts a new silence like this one. */
  readonly onAgain: () => void;
}) {
  const [deleting, setDeleting] = useState(false);
  const barred = useMay(update) ? undefined : needText(update);
  const { id, reason, repeat } = silence;
  const end = (): void =>
    void endSilence(silence).then(
      () => notify({ text: 'Silence ended' }),
      (error: unknown) => notify({ text: errorText(error), kind: 'problem' }),
    );
  return (
    <>
      <Menu
        label={`Actions for ${reason}`}
        button={
          <IconButton small label={`Actions for ${reason}`}>
            <MoreHorizontal />
          </IconButton>
        }
        groups={[
          {
            entries: [
              { id: 'edit', title: 'Edit', run: onEdit, barred },
              ...(state === 'active' || repeat !== undefined
                ? state === 'ended'
                  ? []
                  : [{ id: 'end', title: repeat === undefined ? 'End now' : 'End, with all repeats', run: end, barred }]
                : []),
              { id: 'again', title: 'Create again…', run: onAgain, barred },
              { id: 'delete', title: 'Delete', run: () => setDeleting(true), barred, danger: true },
            ],
          },
        ]}
      />
      {deleting && (
        <Confirm
          title="Delete the silence?"
          action="Delete"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await api.call('deleteSilence', { params: { id } });
            await refreshAlerts();
          }}
        >
          {state === 'active'
            ? 'Incidents that are still open notify again. To keep the record, end it instead.'
            : `“${reason}” is deleted. This cannot be undone.`}
        </Confirm>
      )}
    </>
  );
}

/** Ends it now, and keeps it in the list. */
async function endSilence(silence: Silence): Promise<void> {
  const { id, reason, labels, monitorIds, groups, startTime, repeat } = silence;
  // The end has to be after the start, also if the clock of the server is ahead.
  const end = new Date(Math.max(Date.now(), Date.parse(startTime) + 1)).toISOString();
  await api.call('updateSilence', {
    params: { id },
    body: {
      reason,
      ...(labels !== undefined && { labels }),
      ...(monitorIds !== undefined && { monitorIds }),
      ...(groups !== undefined && { groups }),
      startTime,
      endTime: end,
      ...(repeat !== undefined && { repeat }),
    },
  });
  await refreshAlerts();
}
