import { useState } from 'react';
import { api } from '../data/api.js';
import { serverUrl } from '../data/address/console-path.js';
import type { Snippet } from '../data/ingest-snippets.js';
import { Chip } from '../widgets/chip.js';
import { CopyButton } from '../widgets/copy-button.js';
import { Button } from '../widgets/inputs/button.js';
import { notify } from '../widgets/overlays/toast.js';
import { errorText } from '../widgets/states.js';
import { Tabs } from '../widgets/tabs.js';
import { textParam } from '../data/url-params.js';
import { useUrlState } from '../data/use-url-state.js';
import styles from './snippet-tabs.module.css';

const params = { with: textParam() };
/** Placeholder in the snippets until a token exists. */
const NO_TOKEN = 'xaat-…';

/** Snippets for sending to a dataset, with a token that is created on request. */
export function SnippetTabs({
  dataset,
  snippets,
  what,
}: {
  readonly dataset: string;
  readonly snippets: readonly Snippet[];
  readonly what: 'events' | 'metrics';
}) {
  const [{ with: shown }, change] = useUrlState(params);
  const [token, setToken] = useState(NO_TOKEN);
  const makeToken = async (): Promise<void> => {
    try {
      const made = await api.call('createToken', {
        body: { name: `sends to ${dataset}`, datasetCapabilities: { [dataset]: { ingest: ['create'] } } },
      });
      setToken(made.token);
    } catch (error) {
      notify({ text: errorText(error), kind: 'problem' });
    }
  };
  return (
    <div className={styles.snippets}>
      <div className={styles.line}>
        {token === NO_TOKEN ? (
          <>
            <Button kind="primary" needs={{ org: 'apiTokens', action: 'create' }} onPress={() => void makeToken()}>
              Create a token
            </Button>
            <span className={styles.about}>Ingest-only token for {dataset}.</span>
          </>
        ) : (
          <span role="status">
            <Chip tone="good">token created</Chip> It is filled in below and will not be shown again.
          </span>
        )}
      </div>
      <Tabs
        label="Clients"
        open={snippets.some(({ id }) => id === shown) ? shown : snippets[0]!.id}
        onOpen={(id) => change({ with: id === snippets[0]!.id ? '' : id })}
        tabs={snippets.map(({ id, title, text }) => {
          const filled = text({ url: serverUrl, dataset, token });
          return {
            id,
            title,
            content: (
              <div className={styles.snippet}>
                <pre tabIndex={0} aria-label={`How ${title} sends ${what}`}>
                  {filled}
                </pre>
                <CopyButton text={filled} label="Copy" words />
              </div>
            ),
          };
        })}
      />
    </div>
  );
}
