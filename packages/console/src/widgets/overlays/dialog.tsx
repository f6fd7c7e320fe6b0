import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { IconButton } from '../inputs/button.js';
import { cx } from '../class-names.js';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the end; the one that does it comes last. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  /** Cannot be closed: something has to be done first. */
  readonly firm?: boolean;
}

/** A window in the middle, for what has to be answered. */
export const Dialog = (props: DialogProps) => <Window {...props} place={styles.middle} />;

/** A window along the right edge, for what one looks at beside the page. */
export const Sheet = (props: DialogProps) => <Window {...props} place={styles.side} />;

function Window({
  title,
  open,
  onClose,
  children,
  actions,
  wide,
  firm,
  place,
}: DialogProps & { readonly place?: string | undefined }) {
  return (
    <ModalOverlay
      isOpen={open}
      onOpenChange={(next) => !next && onClose()}
      isDismissable={firm !== true}
      isKeyboardDismissDisabled={firm === true}
      className={cx(styles.overlay, place)}
    >
      <Modal className={cx(styles.modal, wide && styles.wide)}>
        <AriaDialog className={styles.dialog!}>
          <header className={styles.head}>
            <Heading slot="title" className={styles.title!}>
              {title}
            </Heading>
            {firm !== true && (
              <IconButton label="Close" onPress={onClose}>
                <X />
              </IconButton>
            )}
          </header>
          <div className={styles.body}>{children}</div>
          {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
