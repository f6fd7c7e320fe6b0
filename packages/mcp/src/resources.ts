import { briefReference } from '@millrace/apl';
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { HttpError } from '@millrace/api/errors';
import type { AgentContext } from './context.js';
import { datasetText } from './describe.js';
import { readableDatasets } from './readable.js';

/** Datasets that are listed as resources: long lists help no one who chooses from them. */
const maxListed = 100;

const schemaUri = (name: string): string => `millrace://datasets/${encodeURIComponent(name)}/schema`;

/** Adds the language in short, and the schema of each readable dataset. */
export function registerResources(server: McpServer, context: AgentContext): void {
  server.registerResource(
    'apl',
    'millrace://apl',
    {
      title: 'APL in short',
      description: 'Operators, functions and examples of the query language.',
      mimeType: 'text/markdown',
    },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/markdown', text: briefReference() }] }),
  );
  const template = new ResourceTemplate('millrace://datasets/{name}/schema', {
    list: () => ({
      resources: readableDatasets(context)
        .slice(0, maxListed)
        .map(({ name }) => ({ uri: schemaUri(name), name: `schema of ${name}`, mimeType: 'text/plain' })),
    }),
  });
  server.registerResource(
    'dataset-schema',
    template,
    { title: 'Schema of a dataset', description: 'Its fields, time range and newest event.', mimeType: 'text/plain' },
    async (uri, { name }) => {
      try {
        const text = await datasetText(decodeURIComponent(String(name)), { match: '', max: 500 }, context);
        return { contents: [{ uri: uri.href, mimeType: 'text/plain', text }] };
      } catch (error) {
        // What the agent may not read does not exist for it.
        if (error instanceof HttpError) throw new ResourceNotFoundError(uri.href, error.message);
        throw error;
      }
    },
  );
}
