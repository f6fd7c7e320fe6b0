import { command } from '../../command/command.js';
import { showSecret } from './secret.js';
import { jsonOption } from '../json-option.js';
import { expiry, idArgument } from './token.js';

export const tokenRegenerate = command({
  name: 'token regenerate',
  summary: 'Regenerate an API token (new ID and secret).',
  description: 'Both secrets work during the overlap, so that clients can change over. The new one is shown once.',
  remote: true,
  args: { id: idArgument },
  options: {
    overlap: {
      type: 'duration',
      min: 0,
      max: 365 * 86_400_000,
      default: 3_600_000,
      doc: 'Validity of the old secret.',
    },
    expires: {
      type: 'text',
      metavar: 'TIME',
      doc: 'When the new one stops working, RFC 3339, or from now: 30d. Default: never.',
    },
    json: jsonOption,
  },
  examples: [
    { command: 'millrace token regenerate 1f4f9d6e-9f3c-4d62-9a3f-6f0c3b0f6a11 --overlap 1d', doc: 'Within a day' },
  ],
  run: async ({ io, args, options, connect }) => {
    const newTokenExpiresAt = expiry(options.expires);
    const made = await connect().call('regenerateToken', {
      params: { id: args.id },
      body: {
        existingTokenExpiresAt: new Date(Date.now() + options.overlap).toISOString(),
        ...(newTokenExpiresAt !== undefined && { newTokenExpiresAt }),
      },
    });
    return showSecret(io, made, options.json);
  },
});
