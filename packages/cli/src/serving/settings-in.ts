import { clientVariables } from '../connection/options.js';

/**
 * The environment without the variables that the same shell may export for the other commands: they
 * are no settings of the server.
 */
export function settingsIn(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const clients: readonly string[] = clientVariables;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !clients.includes(name)));
}
