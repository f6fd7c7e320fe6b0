import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../data/api.js';
import { asked, textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import { Button } from '../../widgets/button.js';
import { BarSpace, Page } from '../../widgets/page.js';
import { EmptyState, ErrorState, Loading } from '../../widgets/states.js';
import { TextField } from '../../widgets/text-field.js';

const params = { q: asked(textParam()), from: asked(textParam('now-1h')), to: asked(textParam('now')) };

export function QueryPage() {
  const [{ q, from, to }, change] = useUrlState(params);
  const [text, setText] = useState(q);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['query', q, from, to],
    queryFn: ({ signal }) =>
      api.call('queryApl', { query: { format: 'tabular' }, body: { apl: q, startTime: from, endTime: to }, signal }),
    enabled: q !== '',
  });
  return (
    <Page
      title="Query"
      flow={isFetching ? 'running' : error === null ? 'idle' : 'failed'}
      bar={
        <>
          <BarSpace />
          <Button kind="primary" onPress={() => (text === q ? void refetch() : change({ q: text }))}>
            Run
          </Button>
        </>
      }
    >
      <TextField label="Query" bare mono lines={3} value={text} onChange={setText} />
      {q === '' && <EmptyState title="Ask something">Type a query in APL and run it.</EmptyState>}
      {error !== null && <ErrorState title="The query failed" error={error} onRetry={() => void refetch()} />}
      {isFetching && data === undefined && <Loading />}
      {data !== undefined && <pre>{JSON.stringify(data, null, 2)}</pre>}
    </Page>
  );
}
