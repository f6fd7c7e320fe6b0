import type { WriteNotifier } from '@millrace/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../data/api.js';
import { errorText } from '../../widgets/states.js';
import { Tabs } from '../../widgets/tabs.js';
import styles from './notifiers.module.css';

const titles = { Open: 'Firing', Closed: 'Resolved', Match: 'Match' } as const;
const REST_MILLISECONDS = 400;

/** Payload as the server would send it, updated while editing. */
export function NotifierPreviews({ body, id }: { readonly body: WriteNotifier; readonly id: string | undefined }) {
  const [event, setEvent] = useState<string>('Open');
  const written = JSON.stringify(body);
  const [rested, setRested] = useState(written);
  useEffect(() => {
    const timer = setTimeout(() => setRested(written), REST_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [written]);
  const { data, error } = useQuery({
    queryKey: ['notifier-preview', id, rested],
    queryFn: ({ signal }) =>
      api.call('previewNotifier', {
        body: { notifier: JSON.parse(rested) as WriteNotifier, ...(id !== undefined && { id }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  return (
    <section aria-label="Preview" className={styles.form}>
      <h3 className={styles.heading}>Preview</h3>
      {error !== null ? (
        <p className={styles.problem} role="alert">
          {errorText(error)}
        </p>
      ) : (
        data !== undefined && (
          <Tabs
            label="Events"
            open={event}
            onOpen={setEvent}
            tabs={data.map((each) => ({
              id: each.event,
              title: titles[each.event],
              content: (
                <div className={styles.form}>
                  {each.url !== undefined && <p className={styles.hint}>POST {each.url}/…</p>}
                  <pre tabIndex={0} className={each.problem === undefined ? styles.body : styles.problem}>
                    {each.problem ?? prettyText(each.body ?? '')}
                  </pre>
                </div>
              ),
            }))}
          />
        )
      )}
    </section>
  );
}

/** Indented JSON; other text unchanged. */
export function prettyText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
