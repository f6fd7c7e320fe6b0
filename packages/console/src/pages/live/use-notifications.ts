import { useEffect, useState } from 'react';
import { notify } from '../../widgets/overlays/toast.js';

/** One of the browser at a time, for each query. */
const TAG = 'millrace-live';

/**
 * Notifications of the browser about events that come while the tab is out of sight: one for each
 * time that it is, when the first event comes. They are turned on by a person, in this tab only.
 */
export function useNotifications(unseen: number, query: string) {
  const [isOn, setOn] = useState(false);
  const some = unseen > 0;
  useEffect(() => {
    if (!isOn || !some) return undefined;
    const shown = new Notification('Events have arrived', { body: query, tag: `${TAG} ${query}` });
    shown.addEventListener('click', () => globalThis.focus());
    return () => shown.close();
  }, [isOn, some, query]);
  const toggle = async (): Promise<void> => {
    if (isOn) return setOn(false);
    // Browsers have none for pages over plain HTTP from elsewhere.
    const answer = 'Notification' in globalThis ? await Notification.requestPermission() : 'denied';
    if (answer === 'granted') setOn(true);
    else
      notify({
        kind: 'problem',
        text: 'The browser lets this page show no notifications. Its settings for this site can allow them, over HTTPS or on this machine.',
      });
  };
  return { isOn, toggle: (): void => void toggle() };
}
