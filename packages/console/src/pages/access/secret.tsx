import { serverUrl } from '../../data/address/console-path.js';
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

/** Secret of a new token, shown only once. */
export function SecretOnce({ secret, onClose }: { readonly secret: Secret; readonly onClose: () => void }) {
  const [tested, setTested] = useState<string>();
  const env = `MILLRACE_URL=${serverUrl}\nMILLRACE_TOKEN=${secret.token}\n`;
  const test = async (): Promise<void> => {
    try {
      // Uses the public address, for the recipient of the token.
      const answer = await fetch(`${serverUrl}/v2/catalogue`, {
        headers: { authorization: `Bearer ${secret.token}` },
      });
      setTested(answer.ok ? 'good' : `the server answers ${answer.status}`);
    } catch (error) {
      setTested(errorText(error));
    }
  };
  return (
    <Dialog
      title={`Secret of ${secret.name}`}
      open
      onClose={onClose}
      actions={
        <Button kind="primary" onPress={onClose}>
          I saved it
        </Button>
      }
    >
      <p>Copy this secret now. Only its hash is stored, so it cannot be shown again.</p>
      <p className={styles.secret}>
        <code>{secret.token}</code>
      </p>
      <div className={styles.line}>
        <CopyButton text={secret.token} label="Copy" words />
        <CopyButton text={env} label="Copy as .env" words />
        <Button small onPress={() => void test()}>
          Test
        </Button>
        <span role="status">
          {tested === 'good' ? (
            <Chip tone="good">Valid</Chip>
          ) : (
            tested !== undefined && <Chip tone="bad">{tested}</Chip>
          )}
        </span>
      </div>
    </Dialog>
  );
}
