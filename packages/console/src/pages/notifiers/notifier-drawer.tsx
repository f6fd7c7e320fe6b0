import { api } from '../../data/api.js';
import { type Notifier, refreshAlerts } from '../../data/alerts.js';
import { muteNotifier, mutedUntil } from '../../data/mute.js';
import { MuteMenu } from '../../widgets/overlays/mute-menu.js';
import { Select } from '../../widgets/inputs/select.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { RecordDrawer } from '../../widgets/overlays/record-drawer.js';
import { useDraft } from '../../widgets/overlays/use-draft.js';
import { ChannelForm } from './channel-form.js';
import { channelNames, channels } from './channels.js';
import { emptyNotifier, missingIn, type NotifierDraft, notifierBodyOf, notifierDraftOf } from './notifier-draft.js';
import { NotifierPreviews } from './notifier-previews.js';
import styles from './notifiers.module.css';
import { SendTest } from './send-test.js';

const choices = channelNames.map((id) => ({ id, title: channels[id].title }));

/** One notifier: properties, preview and test. */
export function NotifierSheet({
  notifier,
  onClose,
  onSaved,
}: {
  /** Undefined for a new one. */
  readonly notifier: Notifier | undefined;
  readonly onClose: () => void;
  readonly onSaved: (saved: Notifier) => void;
}) {
  const isKept = (channel: NotifierDraft['channel']): boolean =>
    notifier !== undefined && notifierDraftOf(notifier).channel === channel;
  const missingOf = (each: NotifierDraft): Readonly<Record<string, string>> => missingIn(each, isKept(each.channel));
  const {
    draft,
    change,
    problems: missing,
    check,
  } = useDraft(() => (notifier === undefined ? emptyNotifier : notifierDraftOf(notifier)), missingOf);
  const isComplete = Object.keys(missingOf(draft)).every((each) => each === 'name');
  const body = { ...notifierBodyOf(draft), name: draft.name.trim() || 'draft' };
  const isChanged = notifier === undefined || JSON.stringify(draft) !== JSON.stringify(notifierDraftOf(notifier));
  return (
    <RecordDrawer
      title={notifier?.name ?? 'New notifier'}
      noun="notifier"
      isNew={notifier === undefined}
      needs={{ org: 'notifiers', action: notifier === undefined ? 'create' : 'update' }}
      check={check}
      canSave={isChanged}
      stays
      onSave={async () => {
        const body = notifierBodyOf(draft);
        const saved =
          notifier === undefined
            ? await api.call('createNotifier', { body })
            : await api.call('updateNotifier', { params: { id: notifier.id }, body });
        await refreshAlerts();
        change(notifierDraftOf(saved));
        onSaved(saved);
      }}
      deletion={
        notifier && {
          needs: { org: 'notifiers', action: 'delete' },
          title: `Delete ${notifier.name}?`,
          text: 'It is removed from all monitors, SLOs and routes. Its open incidents are resolved.',
          run: () => api.call('deleteNotifier', { params: { id: notifier.id } }),
        }
      }
      actions={
        notifier !== undefined && (
          <MuteMenu
            what={notifier.name}
            needs={{ org: 'notifiers', action: 'update' }}
            isSilent={mutedUntil(notifier) !== undefined}
            onUntil={async (until) => {
              await muteNotifier(notifier, until);
              change({ disabledUntil: until });
            }}
          />
        )
      }
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={draft.name}
        onChange={(name) => change({ name })}
        problem={missing['name']}
        autoFocus={notifier === undefined}
        placeholder="On call"
      />
      <Select
        label="Channel"
        value={draft.channel}
        choices={choices}
        onChange={(channel) => change({ channel, values: {} })}
      />
      <ChannelForm
        channel={draft.channel}
        values={draft.values}
        missing={missing}
        isKept={notifier !== undefined}
        onChange={(id, value) => change({ values: { ...draft.values, [id]: value } })}
      />
      <details open={draft.groupWaitSeconds + draft.groupIntervalMinutes !== ''}>
        <summary>Grouping</summary>
        <div className={styles.form}>
          <TextField
            label="Wait for further changes of a monitor, seconds"
            value={draft.groupWaitSeconds}
            onChange={(groupWaitSeconds) => change({ groupWaitSeconds })}
            problem={missing['groupWaitSeconds']}
            placeholder="0"
            description="What opens and closes in that time is not sent"
          />
          <TextField
            label="Minimum time between messages about a monitor, minutes"
            value={draft.groupIntervalMinutes}
            onChange={(groupIntervalMinutes) => change({ groupIntervalMinutes })}
            problem={missing['groupIntervalMinutes']}
            placeholder="0"
          />
        </div>
      </details>
      {draft.channel !== 'customWebhook' && (
        <details open={draft.titleTemplate !== '' || draft.bodyTemplate !== ''}>
          <summary>Message templates{draft.titleTemplate + draft.bodyTemplate === '' ? '' : ' (set)'}</summary>
          <div className={styles.form}>
            <TextField
              label="Title template"
              value={draft.titleTemplate}
              onChange={(titleTemplate) => change({ titleTemplate })}
              placeholder="{{.Title}}"
              mono
            />
            <TextField
              label="Text template"
              value={draft.bodyTemplate}
              onChange={(bodyTemplate) => change({ bodyTemplate })}
              lines={3}
              placeholder="{{.Body}}"
              description="Go templates, as in custom webhooks: .Title, .Body, .Description, .Value, .GroupValues, .MatchedEvent, .MonitorURL, .RespondURL"
              mono
            />
          </div>
        </details>
      )}
      {isComplete && <NotifierPreviews body={body} id={notifier?.id} />}
      <SendTest notifier={notifier} draft={isComplete ? body : undefined} isChanged={isChanged} />
    </RecordDrawer>
  );
}
