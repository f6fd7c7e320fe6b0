import { useSyncExternalStore } from 'react';
import { BarSpace } from '../../../widgets/page.js';
import { UntrustedText } from '../../../widgets/untrusted-text.js';
import { Clock } from './clock.js';
import styles from './tv.module.css';

/** Title and clock of a dashboard in full screen, which hides the bar of the page. */
export function FullScreenHeader({ name, zone }: { readonly name: string; readonly zone: string }) {
  const isFull = useSyncExternalStore(listen, isFullScreen);
  if (!isFull) return null;
  return (
    <header className={styles.fullHead}>
      <h1>
        <UntrustedText text={name} />
      </h1>
      <BarSpace />
      <Clock zone={zone} />
    </header>
  );
}

const isFullScreen = (): boolean => document.fullscreenElement !== null;

function listen(changed: () => void): () => void {
  document.addEventListener('fullscreenchange', changed);
  return () => document.removeEventListener('fullscreenchange', changed);
}
