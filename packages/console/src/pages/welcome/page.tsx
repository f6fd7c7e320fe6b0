import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sampleTraffic } from '@millrace/sample-data';
import { api } from '../../data/api.js';
import { refreshCatalog, useCatalog } from '../../data/catalog.js';
import { Button } from '../../widgets/inputs/button.js';
import { CopyButton } from '../../widgets/copy-button.js';
import { Page } from '../../widgets/page.js';
import { errorText } from '../../widgets/states.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { Tabs } from '../../widgets/tabs.js';
import { FirstEvents } from './first-events.js';
import { Refusals } from './refusals.js';
import { serverUrl } from '../../data/address/console-path.js';
import { snippets } from '../../data/ingest-snippets.js';
import styles from './welcome.module.css';

const DATASET = 'logs';
const SAMPLE_EVENTS = 5000;
const HOUR_MILLISECONDS = 3_600_000;
/** Placeholder in the snippets until a token exists. */
const NO_TOKEN = 'xaat-…';

/** Methods without prerequisites; the dataset page has the others. */
const shortest = ['curl', 'otel', 'js'];

/** From an empty server to the first event: a dataset, an ingest-only token, and the command. */
export function WelcomePage() {
  const datasets = useCatalog()?.datasets ?? [];
  const [tab, setTab] = useState('curl');
  const [token, setToken] = useState(NO_TOKEN);
  const [typed, setTyped] = useState(DATASET);
  const dataset = typed.trim() || DATASET;
  const exists = datasets.some(({ name }) => name === dataset);
  const makeDataset = async (): Promise<void> => {
    if (!exists) await api.call('createDataset', { body: { name: dataset, description: 'The first one' } });
    await refreshCatalog();
  };
  const prepare = useMutation({
    mutationFn: async () => {
      await makeDataset();
      const made = await api.call('createToken', {
        body: { name: 'first-events', datasetCapabilities: { [dataset]: { ingest: ['create'] } } },
      });
      setToken(made.token);
    },
  });
  const sample = useMutation({
    mutationFn: async () => {
      await makeDataset();
      const events = sampleTraffic({ count: SAMPLE_EVENTS, end: Date.now(), milliseconds: HOUR_MILLISECONDS, seed: 1 });
      await api.call('ingest', {
        params: { dataset },
        // Without it the body would count as a form, which the server rejects from pages.
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(events),
      });
      await refreshCatalog();
    },
  });
  const problem = prepare.error ?? sample.error;
  return (
    <Page title="Welcome" flow={exists ? 'live' : 'idle'}>
      <div className={styles.welcome}>
        <section className={styles.half} aria-label="Send the first event">
          <h2>1. Create a dataset</h2>
          <p className={styles.text}>
            {exists ? (
              <>
                Creates a token that may only send events to the dataset <code>{dataset}</code>.
              </>
            ) : (
              <>
                Creates the dataset <code>{dataset}</code> and a token that may only send events to it.
              </>
            )}
          </p>
          <TextField label="Dataset name" value={typed} onChange={setTyped} disabled={token !== NO_TOKEN} />
          <Button
            kind="primary"
            onPress={() => prepare.mutate()}
            disabled={prepare.isPending || token !== NO_TOKEN}
            needs={{ org: 'apiTokens', action: 'create' }}
          >
            {token === NO_TOKEN
              ? exists
                ? `Create a token for ${dataset}`
                : `Create ${dataset} and a token`
              : 'Created. Copy the token below; it will not be shown again'}
          </Button>
          {problem !== null && (
            <p role="alert" className={styles.problem}>
              {errorText(problem)}
            </p>
          )}
          <h2>2. Send an event</h2>
          <Tabs
            label="How to send"
            className={styles.tabs}
            open={tab}
            onOpen={setTab}
            tabs={snippets
              .filter(({ id }) => shortest.includes(id))
              .map(({ id, title, text }) => {
                const shown = text({ url: serverUrl, dataset, token });
                return {
                  id,
                  title,
                  content: (
                    <div className={styles.snippet}>
                      <pre tabIndex={0} aria-label={title}>
                        {shown}
                      </pre>
                      {token === NO_TOKEN ? (
                        <p className={styles.text}>Create the token first: it is a part of this.</p>
                      ) : (
                        <CopyButton text={shown} label={`Copy ${title}`} words />
                      )}
                    </div>
                  ),
                };
              })}
          />
          <h2>Or explore sample data</h2>
          <p className={styles.text}>One hour of demo-shop traffic with an incident.</p>
          <Button
            onPress={() => sample.mutate()}
            disabled={sample.isPending}
            needs={{ dataset, can: 'ingest', action: 'create' }}
          >
            {sample.isPending ? 'Loading…' : `Load ${SAMPLE_EVENTS.toLocaleString('en')} sample events`}
          </Button>
        </section>
        <section className={styles.half} aria-label="Received events">
          <h2>3. See it arrive</h2>
          <Refusals />
          <FirstEvents dataset={exists ? dataset : undefined} />
        </section>
      </div>
    </Page>
  );
}
