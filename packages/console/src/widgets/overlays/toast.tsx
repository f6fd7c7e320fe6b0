import { X } from 'lucide-react';
import { Text } from 'react-aria-components/Text';
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { IconButton, Button } from '../inputs/button.js';
import { cx } from '../class-names.js';
import styles from './toast.module.css';

interface Notice {
  readonly text: string;
  readonly kind?: 'done' | 'problem';
  readonly action?: { readonly title: string; readonly run: () => void };
}

const queue = new ToastQueue<Notice>({ maxVisibleToasts: 4 });

/** At least five seconds (WCAG 2.2.1); with an action, until closed. */
const SHOWN_MILLISECONDS = 5000;

/** Shows a notification. */
export const notify = (notice: Notice): void => {
  queue.add(notice, notice.action === undefined && notice.kind !== 'problem' ? { timeout: SHOWN_MILLISECONDS } : {});
};

/** Container of notifications; once, in the shell. */
export const Notices = () => (
  <ToastRegion queue={queue} className={styles.region!}>
    {({ toast }) => (
      <Toast toast={toast} className={cx(styles.toast, toast.content.kind === 'problem' && styles.problem)}>
        <ToastContent className={styles.content!}>
          <Text slot="title">{toast.content.text}</Text>
        </ToastContent>
        {toast.content.action !== undefined && (
          <Button
            small
            onPress={() => {
              toast.content.action?.run();
              queue.close(toast.key);
            }}
          >
            {toast.content.action.title}
          </Button>
        )}
        <IconButton label="Dismiss" small onPress={() => queue.close(toast.key)}>
          <X />
        </IconButton>
      </Toast>
    )}
  </ToastRegion>
);
