import { ApiError, createClient } from '@millrace/client';
import type { Event } from './event.js';

/** The server as checks read it. */
export interface Store {
  /** Runs operators over the events of a dataset in order of time; over none if it is missing. */
  query(dataset: string, operators: string): Promise<readonly Event[]>;
  /** Names of the datasets that programs sent to. */
  datasets(): Promise<readonly string[]>;
  deleteDataset(name: string): Promise<void>;
}

/** Maximum rows of a query without `take`, the maximum of the server. */
const maxRows = 50_000;

/** Dataset that the server fills. */
const auditDataset = 'millrace-audit';

/** Creates a token that may send, query and create datasets: the one for the tested program. */
export async function createProgramToken(url: string, ownerToken: string): Promise<string> {
  const { token } = await createClient({ url, token: ownerToken }).call('createToken', {
    body: {
      name: 'tested program',
      datasetCapabilities: { '*': { ingest: ['create'], query: ['read'] } },
      orgCapabilities: { datasets: ['create', 'read'] },
    },
  });
  return token;
}

export function openStore(url: string, token: string): Store {
  const client = createClient({ url, token });
  return {
    async query(dataset, operators) {
      // Sorted first: later operators may sort otherwise, or leave the time out.
      const source = `['${dataset.replaceAll(/['\\]/g, String.raw`\$&`)}'] | sort by _time asc`;
      const apl = `${source} | ${operators.trim().replace(/^\|/, '')}`;
      try {
        const answer = await client.call('queryApl', {
          query: { format: 'tabular' },
          body: { apl, defaultLimit: maxRows },
        });
        return answer.format === 'tabular' ? (answer.tables[0] === undefined ? [] : rowsOf(answer.tables[0])) : [];
      } catch (error) {
        if (isMissing(error, dataset)) return [];
        throw error;
      }
    },
    datasets: async () =>
      (await client.call('listDatasets')).map(({ name }) => name).filter((name) => name !== auditDataset),
    deleteDataset: (id) => client.call('deleteDataset', { params: { id } }),
  };
}

const isMissing = (error: unknown, dataset: string): boolean =>
  error instanceof ApiError &&
  error.reason === 'query-dataset-not-found' &&
  error.message.includes(`dataset ${dataset} not found`);

interface Table {
  readonly fields: readonly { readonly name: string }[];
  readonly columns?: readonly (readonly unknown[])[];
}

/** An absent field is null in a table, and has no entry in an event. */
function rowsOf({ fields, columns = [] }: Table): readonly Event[] {
  return (columns[0] ?? []).map((_, row) =>
    Object.fromEntries(
      fields.flatMap(({ name }, column) => {
        const value = columns[column]?.[row];
        return value === null || value === undefined ? [] : [[name, value]];
      }),
    ),
  );
}
