import type { Principal } from './authorize.js';

/** The dataset that a token may send events to, if it is exactly one. */
export function soleDataset(principal: Principal): string | undefined {
  if (principal.kind === 'anonymous') return undefined;
  const names = new Set(
    principal.capabilities.flatMap(({ datasetCapabilities }) =>
      Object.entries(datasetCapabilities)
        .filter(([, { ingest }]) => ingest?.includes('create') ?? false)
        .map(([name]) => name),
    ),
  );
  const [only] = names;
  return names.size === 1 && only !== '*' ? only : undefined;
}
