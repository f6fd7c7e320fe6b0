import { serverUrl } from '../../data/address/console-path.js';
import type { SignInCode } from '@millrace/client';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { Button } from '../../widgets/inputs/button.js';
import { CopyButton } from '../../widgets/copy-button.js';
import { Dialog } from '../../widgets/overlays/dialog.js';
import { RelativeTime } from '../../widgets/relative-time.js';
import { errorText } from '../../widgets/states.js';
import { notify } from '../../widgets/overlays/toast.js';
import styles from './settings.module.css';

/** One-time link that signs in another browser. */
export function OtherDevice() {
  const [code, setCode] = useState<SignInCode>();
  const make = (): void =>
    void api
      .call('createSignInCode')
      .then(setCode, (error: unknown) => notify({ text: errorText(error), kind: 'problem' }));
  const link = code === undefined ? '' : serverUrl + code.path;
  return (
    <>
      <Button onPress={make}>Sign in another browser</Button>
      {code !== undefined && (
        <Dialog title="Open this link in the other browser" open onClose={() => setCode(undefined)}>
          <p>
            Valid once. Expires <RelativeTime at={code.expires} />.
          </p>
          <p className={styles.link}>
            <code>{link}</code>
            <CopyButton text={link} label="Copy the link" words />
          </p>
        </Dialog>
      )}
    </>
  );
}
