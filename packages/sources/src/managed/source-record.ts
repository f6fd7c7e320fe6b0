import { httpError } from '@millrace/api/errors';
import {
  type ShownSource,
  type SourceKindName,
  type SourceProperties,
  sourceSecrets,
  type SourceStatus,
  type StoredSource,
  type WriteSource,
} from '@millrace/api/schemas/source';
import { boundKind, kindOf, sourceKinds } from '../kinds.js';

/** Converts a source between its API form and its stored form. */

type Members = Readonly<Record<string, unknown>>;

/**
 * Checks the properties of a source and puts stored secrets in place of empty ones.
 * @throws HttpError `invalid-request`
 */
export function keptProperties({ properties }: WriteSource, present?: StoredSource): SourceProperties {
  const name = kindIn(properties);
  const sent = properties[name] as Members;
  const stored = present?.properties[name] as Members | undefined;
  const kept = stored === undefined ? sent : withSecrets(name, sent, stored);
  const bound = boundKind(name, kept as never);
  const problem = bound.problem();
  if (problem !== undefined) throw mistake(`body 'properties.${name}': ${problem}`);
  return { [name]: kept };
}

/** @throws HttpError `invalid-request` unless there is exactly one kind */
function kindIn(properties: SourceProperties): SourceKindName {
  const name = kindOf(properties);
  if (name === undefined)
    throw mistake(`body 'properties' must have exactly one of ${Object.keys(sourceKinds).join(', ')}`);
  return name;
}

/**
 * An empty secret keeps the stored one, but only for the place that it was given for: a user who
 * may change the address may not know the secret.
 */
function withSecrets(name: SourceKindName, sent: Members, stored: Members): Members {
  const empty = sourceSecrets[name].filter((member) => sent[member] === '' && stored[member] !== undefined);
  const [first] = empty;
  if (first === undefined) return sent;
  const isElsewhere = destinationOf(name, sent) !== destinationOf(name, stored);
  if (isElsewhere)
    throw mistake(
      `body 'properties.${name}.${first}' must be given again, because the source connects to another place`,
    );
  return { ...sent, ...Object.fromEntries(empty.map((member) => [member, stored[member]])) };
}

const destinationOf = (name: SourceKindName, properties: Members): string =>
  boundKind(name, properties as never).destination();

/** The source as a client gets it; only clients that may write sources get the secrets. */
export function shownSource(source: StoredSource, status: SourceStatus, isWriter: boolean): ShownSource {
  const kind = kindIn(source.properties);
  const secrets: readonly string[] = sourceSecrets[kind];
  const shown = Object.entries(source.properties[kind] as Members).map(([member, value]) => [
    member,
    !isWriter && secrets.includes(member) ? '' : value,
  ]);
  return { ...source, properties: { [kind]: Object.fromEntries(shown) as never }, kind, status };
}

const mistake = (problem: string) => httpError('invalid-request', { problem });
