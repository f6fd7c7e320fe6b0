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
  /** Buttons at the end; the primary one is last. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  /** Not closable: an action is required. */
  readonly firm?: boolean;
}

/** A modal dialog. */
export const Dialog = (props: DialogProps) => <Window {...props} place={styles.middle} />;

/** A drawer at the right edge, for content next to the page. */
export const Drawer = (props: DialogProps) => <Window {...props} place={styles.side} />;

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
