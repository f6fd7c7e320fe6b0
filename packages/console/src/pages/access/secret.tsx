import { useState } from 'react';
import { Button } from '../../widgets/inputs/button.js';
import { Chip } from '../../widgets/chip.js';
import { CopyButton } from '../../widgets/copy-button.js';
import { Dialog } from '../../widgets/overlays/dialog.js';
import { errorText } from '../../widgets/states.js';
import styles from './access.module.css';

export interface Secret {
  readonly name: string;
  readonly token: string;
}

/** The secret of a new token, which the server does not know any more: it is shown this once. */
export function SecretOnce({ secret, onClose }: { readonly secret: Secret; readonly onClose: () => void }) {
  const [tested, setTested] = useState<string>();
  const env = `MILLRACE_URL=${location.origin}\nMILLRACE_TOKEN=${secret.token}\n`;
  const test = async (): Promise<void> => {
    try {
      // On the public path, as whoever gets it will use it.
      const answer = await fetch(`${location.origin}/v2/catalogue`, {
        headers: { authorization: `Bearer ${secret.token}` },
      });
      setTested(answer.ok ? 'good' : `the server answers ${answer.status}`);
    } catch (error) {
      setTested(errorText(error));
    }
  };
  return (
    <Dialog
      title={`The secret of ${secret.name}`}
      open
      onClose={onClose}
      actions={
        <Button kind="primary" onPress={onClose}>
          I have kept it
        </Button>
      }
    >
      <p>It is shown this once. The server keeps only a hash of it, so it cannot be shown again.</p>
      <p className={styles.secret}>
        <code>{secret.token}</code>
      </p>
      <div className={styles.line}>
        <CopyButton text={secret.token} label="Copy" words />
        <CopyButton text={env} label="Copy as .env" words />
        <Button small onPress={() => void test()}>
          Test it
        </Button>
        <span role="status">
          {tested === 'good' ? (
            <Chip tone="good">the server takes it</Chip>
          ) : (
            tested !== undefined && <Chip tone="bad">{tested}</Chip>
          )}
        </span>
      </div>
    </Dialog>
  );
}
