import type { WaitingDevice } from '@millrace/client';
import { useState, type FormEvent } from 'react';
import { api } from '../../data/api.js';
import { Button } from '../../widgets/inputs/button.js';
import { DescriptionList } from '../../widgets/description-list.js';
import { Page } from '../../widgets/page.js';
import { Section, Sections } from '../../widgets/section.js';
import { errorText } from '../../widgets/states.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import styles from './device.module.css';

/** Asks for the code that a program shows, and whether it gets a token. */
export function DevicePage() {
  const [code, setCode] = useState('');
  const [found, setFound] = useState<WaitingDevice>();
  const [problem, setProblem] = useState<string>();
  const [done, setDone] = useState<string>();
  const find = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setDone(undefined);
    try {
      setFound(await api.call('findDevice', { body: { userCode: code } }));
      setProblem(undefined);
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const answer = async (approve: boolean): Promise<void> => {
    try {
      await api.call('answerDevice', { body: { userCode: code, approve } });
      setDone(approve ? 'Program allowed. You can close this page.' : 'Program denied.');
      setCode('');
    } catch (error) {
      setProblem(errorText(error));
    }
    setFound(undefined);
  };
  return (
    <Page title="Allow a program">
      <Sections>
        <Section title="Code" about="Type the code that a program on your computer shows, such as millrace login.">
          {found === undefined ? (
            <form className={styles.form} onSubmit={(event) => void find(event)}>
              <TextField
                label="Code"
                mono
                value={code}
                onChange={(value) => {
                  setCode(value);
                  setProblem(undefined);
                }}
                placeholder="XXXX-XXXX"
                problem={problem}
                autoFocus
              />
              <Button type="submit" kind="primary" disabled={code.trim() === ''}>
                Continue
              </Button>
              {done !== undefined && <p role="status">{done}</p>}
            </form>
          ) : (
            <div className={styles.form}>
              <DescriptionList
                facts={[
                  ['Program', found.name],
                  ['Address', found.address],
                  ['Access', `Your rights, for ${hours(found.seconds)}`],
                ]}
              />
              <p>Allow it only if you started it yourself.</p>
              <div className={styles.choice}>
                <Button kind="primary" onPress={() => void answer(true)}>
                  Allow
                </Button>
                <Button onPress={() => void answer(false)}>Deny</Button>
              </div>
            </div>
          )}
        </Section>
      </Sections>
    </Page>
  );
}

const hours = (seconds: number): string => {
  const rounded = Math.max(1, Math.round(seconds / 3600));
  return rounded === 1 ? '1 hour' : `${rounded} hours`;
};
