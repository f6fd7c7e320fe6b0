import type { Metadata } from '@millrace/server/startup/offline';
import { command } from '../../command/command.js';
import { withMetadata } from '../../directory/with-metadata.js';
import { usage } from '../../failure.js';
import { plainRights, scopedRights } from './permissions.js';
import { type MadeToken, showSecret } from './secret.js';
import { jsonOption } from '../json-option.js';
import { expiry } from './token.js';

export const tokenCreate = command({
  name: 'token create',
  summary: 'Create a token. The secret is shown once.',
  description:
    'An API token has exactly the listed permissions, a personal token those of its user. With --data-dir the ' +
    'token is created in a data directory on this machine, whether its server runs or not, without another token: use it for ' +
    'the first token, or if an owner lost theirs. Only the secret goes to standard output.',
  remote: true,
  args: { name: { doc: 'Display name.' } },
  options: {
    dataset: {
      type: 'list',
      metavar: 'NAME:RIGHTS',
      doc: 'What it may do with a dataset (* for all): ingest, query, trim, vacuum, data, share, virtualFields, starredQueries, or all. One action alone is query.read.',
    },
    view: { type: 'list', metavar: 'NAME:RIGHTS', doc: 'What it may do with a view: query, share.' },
    organisation: {
      type: 'list',
      metavar: 'RIGHTS',
      doc: 'What it may do beyond datasets: datasets, apiTokens, users, rbac, auditLog and others, as in datasets.read.',
    },
    personal: { type: 'flag', doc: 'A personal token: yours, or with --data-dir that of the owner.' },
    description: { type: 'text', short: 'd', metavar: 'TEXT', mayBeEmpty: true, doc: 'What the token is for.' },
    expires: {
      type: 'text',
      metavar: 'TIME',
      doc: 'When it stops working, RFC 3339, or from now: 30d. Default: never.',
    },
    dataDir: { type: 'text', metavar: 'DIR', doc: 'Data directory to make the token in, without a server.' },
    json: jsonOption,
  },
  examples: [
    { command: 'millrace token create shipper --dataset logs:ingest', doc: 'May send events to logs' },
    { command: "millrace token create reader --dataset '*:query' --organisation datasets.read", doc: 'May read all' },
    { command: 'millrace token create owner --personal --data-dir ./data', doc: 'The first token' },
  ],
  run: async ({ io, args, options, connect }) => {
    const { datasetResources, orgResources, viewResources } = await import('@millrace/server/startup/offline');
    const capabilities = {
      datasetCapabilities: scopedRights('--dataset', options.dataset, datasetResources),
      viewCapabilities: scopedRights('--view', options.view, viewResources),
      orgCapabilities: plainRights('--organisation', options.organisation, orgResources),
    };
    const none = Object.values(capabilities).every((rights) => Object.keys(rights).length === 0);
    if (options.personal && !none) throw usage('--personal tokens may do what their user may; leave the rights out');
    if (!options.personal && none) {
      throw usage('no permissions given: use --dataset, --view, --organisation or --personal');
    }
    const expiresAt = expiry(options.expires);
    const wanted = {
      name: args.name,
      ...(options.description !== undefined && { description: options.description }),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    if (options.dataDir !== undefined) {
      const made = await withMetadata(io, options.dataDir, (metadata) =>
        inMetadata(metadata, { ...wanted, capabilities, personal: options.personal }),
      );
      return showSecret(io, made, options.json);
    }
    const client = connect();
    const made = await (options.personal
      ? client.call('createPersonalToken', { body: wanted })
      : client.call('createToken', { body: { ...wanted, ...capabilities } }));
    return showSecret(io, made, options.json);
  },
});

interface TokenRequest {
  readonly name: string;
  readonly description?: string;
  readonly expiresAt?: string;
  readonly personal: boolean;
  readonly capabilities: Parameters<Metadata['tokens']['create']>[0]['capabilities'];
}

async function inMetadata({ users, tokens }: Metadata, wanted: TokenRequest): Promise<MadeToken> {
  const { name, description, expiresAt: expires, personal, capabilities } = wanted;
  const { id: userId } = await users.owner();
  const { issuedPersonalView, issuedView } = await import('@millrace/server/startup/offline');
  const issued = await tokens.create({
    kind: personal ? 'personal' : 'api',
    name,
    description,
    expires,
    userId,
    capabilities: personal ? undefined : capabilities,
  });
  return personal ? issuedPersonalView(issued) : issuedView(issued);
}
