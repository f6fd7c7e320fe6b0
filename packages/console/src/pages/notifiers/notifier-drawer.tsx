import { useState } from 'react';
import { api } from '../../data/api.js';
import { type Notifier, refreshAlerts } from '../../data/alerts.js';
import { muteNotifier, mutedUntil } from '../../data/mute.js';
import { Button } from '../../widgets/inputs/button.js';
import { Confirm } from '../../widgets/overlays/confirm.js';
import { Drawer } from '../../widgets/overlays/dialog.js';
import { MuteMenu } from '../../widgets/overlays/mute-menu.js';
import { Select } from '../../widgets/inputs/select.js';
import { errorText } from '../../widgets/states.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { notify } from '../../widgets/overlays/toast.js';
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
  const [draft, setDraft] = useState<NotifierDraft>(notifier === undefined ? emptyNotifier : notifierDraftOf(notifier));
  const [tried, setTried] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [deleting, setDeleting] = useState(false);
  const missing = missingIn(draft, notifier !== undefined && notifierDraftOf(notifier).channel === draft.channel);
  const isComplete = Object.keys(missing).every((each) => each === 'name');
  const body = { ...notifierBodyOf(draft), name: draft.name.trim() || 'draft' };
  const isChanged = notifier === undefined || JSON.stringify(draft) !== JSON.stringify(notifierDraftOf(notifier));
  const save = async (): Promise<void> => {
    setTried(true);
    if (Object.keys(missing).length > 0) return;
    setRefusal(undefined);
    try {
      const body = notifierBodyOf(draft);
      const saved =
        notifier === undefined
          ? await api.call('createNotifier', { body })
          : await api.call('updateNotifier', { params: { id: notifier.id }, body });
      await refreshAlerts();
      setDraft(notifierDraftOf(saved));
      notify({ text: `${saved.name} is saved` });
      onSaved(saved);
    } catch (error) {
      setRefusal(errorText(error));
    }
  };
  return (
    <Drawer
      title={notifier?.name ?? 'New notifier'}
      open
      wide
      onClose={onClose}
      actions={
        <>
          {notifier !== undefined && (
            <>
              <Button kind="danger" needs={{ org: 'notifiers', action: 'delete' }} onPress={() => setDeleting(true)}>
                Delete
              </Button>
              <MuteMenu
                what={notifier.name}
                needs={{ org: 'notifiers', action: 'update' }}
                isSilent={mutedUntil(notifier) !== undefined}
                onUntil={async (until) => {
                  await muteNotifier(notifier, until);
                  setDraft((before) => ({ ...before, disabledUntil: until }));
                }}
              />
            </>
          )}
          <Button
            kind="primary"
            needs={{ org: 'notifiers', action: notifier === undefined ? 'create' : 'update' }}
            disabled={!isChanged}
            onPress={() => void save()}
          >
            {notifier === undefined ? 'Create notifier' : 'Save'}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <TextField
          label="Name"
          value={draft.name}
          onChange={(name) => setDraft({ ...draft, name })}
          problem={tried ? missing['name'] : undefined}
          autoFocus={notifier === undefined}
          placeholder="On call"
        />
        <Select
          label="Channel"
          value={draft.channel}
          choices={choices}
          onChange={(channel) => setDraft({ ...draft, channel, values: {} })}
        />
        <ChannelForm
          channel={draft.channel}
          values={draft.values}
          missing={tried ? missing : {}}
          isKept={notifier !== undefined}
          onChange={(id, value) => setDraft({ ...draft, values: { ...draft.values, [id]: value } })}
        />
        {draft.channel !== 'customWebhook' && (
          <details open={draft.titleTemplate !== '' || draft.bodyTemplate !== ''}>
            <summary>Own texts{draft.titleTemplate + draft.bodyTemplate === '' ? '' : ' (set)'}</summary>
            <div className={styles.form}>
              <TextField
                label="Title template"
                value={draft.titleTemplate}
                onChange={(titleTemplate) => setDraft({ ...draft, titleTemplate })}
                placeholder="{{.Title}}"
                mono
              />
              <TextField
                label="Text template"
                value={draft.bodyTemplate}
                onChange={(bodyTemplate) => setDraft({ ...draft, bodyTemplate })}
                lines={3}
                placeholder="{{.Body}}"
                description="Go templates, as in custom webhooks: .Title, .Body, .Description, .Value, .GroupValues, .MatchedEvent, .MonitorURL, .RespondURL"
                mono
              />
            </div>
          </details>
        )}
        {refusal !== undefined && (
          <p className={styles.problem} role="alert">
            {refusal}
          </p>
        )}
        {isComplete && <NotifierPreviews body={body} id={notifier?.id} />}
        <SendTest notifier={notifier} draft={isComplete ? body : undefined} isChanged={isChanged} />
      </div>
      {deleting && notifier !== undefined && (
        <Confirm
          title={`Delete ${notifier.name}?`}
          action="Delete the notifier"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await api.call('deleteNotifier', { params: { id: notifier.id } });
            await refreshAlerts();
            onClose();
          }}
        >
          It is removed from all monitors.
        </Confirm>
      )}
    </Drawer>
  );
}
