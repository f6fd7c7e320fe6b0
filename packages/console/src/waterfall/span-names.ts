import { fieldText } from '../data/apl-text.js';

/** APL names of span fields in a dataset. */
export interface SpanNames {
  readonly service: string;
  readonly failed: string;
  /** Condition for a span without a parent. */
  readonly root: string;
  /**
   * Condition for a span that handles a request from another service, by which services are
   * measured.
   */
  readonly request: string;
  readonly hasKinds: boolean;
}

const SERVICES = ['service.name', 'service'];

/** Fields that may have the service, best first. */
export const serviceFields = (chosen: string | undefined): readonly string[] => [
  ...new Set([...(chosen === undefined ? [] : [chosen]), ...SERVICES]),
];

/** Names of span fields that the dataset has; a chosen field for the service comes first. */
export function spanNames(fields: readonly { readonly name: string }[], chosen?: string): SpanNames {
  const has = (name: string): boolean => fields.some((each) => each.name === name);
  const services = serviceFields(chosen).filter(has).map(fieldText);
  const failures = [
    ...(has('error') ? ['error == true'] : []),
    ...(has('status.code') ? ["status.code =~ 'error'"] : []),
  ];
  const root = has('parent_span_id') ? 'isempty(parent_span_id)' : 'true';
  return {
    service:
      services.length === 0
        ? "''"
        : services.length === 1
          ? `tostring(${services[0]})`
          : `coalesce(${services.join(', ')})`,
    failed: failures.length === 0 ? 'false' : failures.join(' or '),
    root,
    request: has('kind') ? `kind in ('server', 'consumer') or ${root}` : root,
    hasKinds: has('kind'),
  };
}
