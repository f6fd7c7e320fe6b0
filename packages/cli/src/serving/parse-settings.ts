import { clientVariables } from '../connection/options.js';

/**
 * Environment without the variables of the client commands, which the same shell may export; they
 * are not server settings.
 */
export function settingsIn(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const clients: readonly string[] = clientVariables;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !clients.includes(name)));
}
