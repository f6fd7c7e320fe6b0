import { useEffect, useState } from 'react';
import { notify } from '../../widgets/overlays/toast.js';

/** One browser notification per query. */
const TAG = 'millrace-live';

/**
 * Browser notifications about new events while the tab is hidden: one per time it is hidden, at the
 * first event. Enabled by the user, for this tab only.
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
    // Unavailable on remote pages over plain HTTP.
    const answer = 'Notification' in globalThis ? await Notification.requestPermission() : 'denied';
    if (answer === 'granted') setOn(true);
    else
      notify({
        kind: 'problem',
        text: "Notifications are blocked. Allow them in the browser's site settings (requires HTTPS or localhost).",
      });
  };
  return { isOn, toggle: (): void => void toggle() };
}
