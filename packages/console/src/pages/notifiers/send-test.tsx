import type { WriteNotifier } from '@millrace/client';
import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { api } from '../../data/api.js';
import type { Notifier } from '../../data/alerts.js';
import { Button } from '../../widgets/inputs/button.js';
import { Chip } from '../../widgets/chip.js';
import { DescriptionList } from '../../widgets/description-list.js';
import { errorText } from '../../widgets/states.js';
import { prettyText } from './notifier-previews.js';
import styles from './notifiers.module.css';

const outcomes = {
  delivered: { title: 'Delivered', tone: 'good' },
  later: { title: 'Not delivered; another attempt may work', tone: 'warn' },
  failed: { title: 'Not delivered', tone: 'bad' },
} as const;

/** Sends a test notification, also before the notifier is created; shows the response. */
export function SendTest({
  notifier,
  draft,
  isChanged,
}: {
  /** Undefined for a new one. */
  readonly notifier: Notifier | undefined;
  /** A new one; undefined while values are missing. */
  readonly draft: WriteNotifier | undefined;
  readonly isChanged: boolean;
}) {
  const isNew = notifier === undefined;
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () =>
      notifier === undefined
        ? api.call('testNewNotifier', { body: { notifier: draft! } })
        : api.call('testNotifier', { params: { id: notifier.id } }),
  });
  return (
    <section aria-label="Test" className={styles.form}>
      <div className={styles.line}>
        <Button
          needs={{ org: 'notifiers', action: isNew ? 'create' : 'update' }}
          disabled={isPending || (isNew ? draft === undefined : isChanged)}
          onPress={() => mutate()}
        >
          <Send aria-hidden /> {isPending ? 'Sending…' : 'Send test'}
        </Button>
        {isNew && draft === undefined && <span className={styles.hint}>Fill in the channel first.</span>}
        {!isNew && isChanged && <span className={styles.hint}>Save first: the test uses the saved settings.</span>}
      </div>
      {error !== null && (
        <p className={styles.problem} role="alert">
          {errorText(error)}
        </p>
      )}
      {data !== undefined && (
        <div role="status" className={styles.form}>
          <p>
            <Chip tone={outcomes[data.outcome].tone}>{outcomes[data.outcome].title}</Chip> in {data.milliseconds} ms
          </p>
          {data.problem !== undefined && <p className={styles.problem}>{data.problem}</p>}
          <DescriptionList
            facts={[
              ...(data.request === undefined
                ? []
                : [
                    ['Sent to', data.request.url] as const,
                    [
                      'Body',
                      <pre key="sent" className={styles.body} tabIndex={0}>
                        {prettyText(data.request.body)}
                      </pre>,
                    ] as const,
                  ]),
              ...(data.answer === undefined
                ? []
                : [
                    ['Status', String(data.answer.status)] as const,
                    [
                      'Answer',
                      data.answer.body === '' ? (
                        'empty'
                      ) : (
                        <pre key="answered" className={styles.body} tabIndex={0}>
                          {prettyText(data.answer.body)}
                        </pre>
                      ),
                    ] as const,
                  ]),
            ]}
          />
        </div>
      )}
    </section>
  );
}
