import { fieldText } from '../data/apl-text.js';

/** How spans of a dataset are asked about, in APL: with the fields that it has. */
export interface SpanNames {
  readonly service: string;
  readonly failed: string;
  /** Of a span that no other waits for. */
  readonly root: string;
  /** Of a span that answers somebody outside its service. Of those every service is measured by. */
  readonly request: string;
  readonly hasKinds: boolean;
}

const SERVICES = ['service.name', 'service'];

export function spanNames(fields: readonly { readonly name: string }[]): SpanNames {
  const has = (name: string): boolean => fields.some((each) => each.name === name);
  const services = SERVICES.filter(has).map(fieldText);
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
