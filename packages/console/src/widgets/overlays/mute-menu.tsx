import { BellOff } from 'lucide-react';
import { useState } from 'react';
import type { RequiredPermission } from '../../data/permissions.js';
import { silences } from '../../data/mute.js';
import { usePreferences } from '../../data/preferences.js';
import { readTime } from '../../data/time/read-time.js';
import { zoneLabel } from '../../data/time/zones.js';
import { Button } from '../inputs/button.js';
import { Dialog } from './dialog.js';
import { Menu } from './menu.js';
import { errorText } from '../states.js';
import { TextField } from '../inputs/text-field.js';
import { notify } from './toast.js';

/** Mutes for a duration, until a time, or forever. */
export function MuteMenu({
  what,
  needs,
  isSilent,
  onUntil,
  onOff,
  onSilence,
}: {
  /** `3 monitors`. */
  readonly what: string;
  readonly needs: RequiredPermission;
  readonly isSilent: boolean;
  /** Undefined unmutes. */
  readonly onUntil: (until: string | undefined) => Promise<unknown>;
  readonly onOff?: () => Promise<unknown>;
  /** Opens the form of a silence. */
  readonly onSilence?: () => void;
}) {
  const { zone } = usePreferences();
  const [asking, setAsking] = useState(false);
  const tell = (work: Promise<unknown>, done: string): void =>
    void work.then(
      () => notify({ text: `${what}: ${done}` }),
      (error: unknown) => notify({ text: errorText(error), kind: 'problem' }),
    );
  return (
    <>
      <Menu
        label={`Mute ${what}`}
        button={
          <Button needs={needs}>
            <BellOff aria-hidden /> {isSilent ? 'Muted' : 'Mute'}
          </Button>
        }
        groups={[
          ...(isSilent
            ? [{ entries: [{ id: 'speak', title: 'Unmute', run: () => tell(onUntil(undefined), 'unmuted') }] }]
            : []),
          {
            title: 'Mute',
            entries: [
              ...silences.map(({ id, title, until }) => ({
                id,
                title,
                run: () => tell(onUntil(until(zone)), `muted ${title.toLowerCase()}`),
              })),
              { id: 'until', title: 'Until…', run: () => setAsking(true) },
              ...(onOff === undefined
                ? []
                : [{ id: 'off', title: 'Turn off', run: () => tell(onOff(), 'turned off') }]),
            ],
          },
          ...(onSilence === undefined
            ? []
            : [{ entries: [{ id: 'silence', title: 'Silence with a reason…', run: onSilence }] }]),
        ]}
      />
      {asking && (
        <UntilDialog
          what={what}
          zone={zone}
          onClose={() => setAsking(false)}
          onUntil={(until) => {
            setAsking(false);
            tell(onUntil(until), 'muted');
          }}
        />
      )}
    </>
  );
}

function UntilDialog({
  what,
  zone,
  onClose,
  onUntil,
}: {
  readonly what: string;
  readonly zone: string;
  readonly onClose: () => void;
  readonly onUntil: (until: string) => void;
}) {
  const [text, setText] = useState('');
  const until = readTime(text, zone);
  const isPast = until !== undefined && Date.parse(until) <= Date.now();
  const take = (): void => {
    if (until !== undefined && !isPast) onUntil(until);
  };
  return (
    <Dialog
      title={`Mute ${what} until`}
      open
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" disabled={until === undefined || isPast} onPress={take}>
            Mute
          </Button>
        </>
      }
    >
      <TextField
        label={`Time, ${zoneLabel(zone)}`}
        value={text}
        onChange={setText}
        placeholder="2026-12-24 18:00"
        autoFocus
        mono
        onKeyDown={(event) => event.key === 'Enter' && take()}
        problem={
          isPast
            ? 'Choose a time in the future'
            : text !== '' && until === undefined
              ? 'Use the format 2026-12-24 18:00'
              : undefined
        }
      />
    </Dialog>
  );
}
