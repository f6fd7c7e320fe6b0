import { useState } from 'react';
import { api } from '../../data/api.js';
import { Button } from '../../widgets/inputs/button.js';
import { Chip } from '../../widgets/chip.js';
import { CopyButton } from '../../widgets/copy-button.js';
import { EmptyState, errorText } from '../../widgets/states.js';
import { Tabs } from '../../widgets/tabs.js';
import { notify } from '../../widgets/overlays/toast.js';
import { textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import type { KnownDataset } from './dataset.js';
import styles from './datasets.module.css';
import { snippets } from '../../data/ingest-snippets.js';
import { TryBox } from './dry-run-box.js';

const params = { with: textParam('curl') };
/** Placeholder in the snippets until a token exists. */
const NO_TOKEN = 'xaat-…';

/** How to send events to the dataset, with a text box to try it. */
export function Ingest({ dataset: { name, canWrite } }: { readonly dataset: KnownDataset }) {
  const [{ with: shown }, change] = useUrlState(params);
  const [token, setToken] = useState(NO_TOKEN);
  if (!canWrite) return <EmptyState title={`${name} is read-only`}>The server writes the audit log itself.</EmptyState>;
  const makeToken = async (): Promise<void> => {
    try {
      const made = await api.call('createToken', {
        body: { name: `sends to ${name}`, datasetCapabilities: { [name]: { ingest: ['create'] } } },
      });
      setToken(made.token);
    } catch (error) {
      notify({ text: errorText(error), kind: 'problem' });
    }
  };
  return (
    <div className={styles.halves}>
      <section className={styles.half} aria-labelledby="from-a-program">
        <h2 id="from-a-program">From an application</h2>
        <div className={styles.line}>
          {token === NO_TOKEN ? (
            <>
              <Button kind="primary" needs={{ org: 'apiTokens', action: 'create' }} onPress={() => void makeToken()}>
                Create a token
              </Button>
              <span className={styles.about}>Ingest-only token for {name}.</span>
            </>
          ) : (
            <span role="status">
              <Chip tone="good">token created</Chip> It is filled in below and will not be shown again.
            </span>
          )}
        </div>
        <Tabs
          label="Clients"
          open={snippets.some(({ id }) => id === shown) ? shown : 'curl'}
          onOpen={(id) => change({ with: id })}
          tabs={snippets.map(({ id, title, text }) => {
            const filled = text({ url: location.origin, dataset: name, token });
            return {
              id,
              title,
              content: (
                <div className={styles.snippet}>
                  <pre tabIndex={0} aria-label={`How ${title} sends events`}>
                    {filled}
                  </pre>
                  <CopyButton text={filled} label="Copy" words />
                </div>
              ),
            };
          })}
        />
      </section>
      <section className={styles.half} aria-labelledby="try-it">
        <h2 id="try-it">Try it</h2>
        <TryBox dataset={name} />
      </section>
    </div>
  );
}
