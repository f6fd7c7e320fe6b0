import type { SourceProperties, WriteSource } from '@millrace/client';
import { kinds, type SourceField, type SourceKind } from './kinds.js';
import type { Source } from './source-queries.js';

/** A source in the form: one string per field of its kind. */
interface SourceDraft {
  readonly name: string;
  readonly dataset: string;
  /** Empty for the dataset of the events. */
  readonly rejectedDataset: string;
  readonly kind: SourceKind;
  readonly values: Readonly<Record<string, string>>;
}

export const emptySource = (dataset: string): SourceDraft => ({
  name: '',
  dataset,
  rejectedDataset: '',
  kind: 'kafka',
  values: {},
});

export function sourceDraftOf({ name, dataset, rejectedDataset = '', kind, properties }: Source): SourceDraft {
  const given = (properties[kind] ?? {}) as Readonly<Record<string, unknown>>;
  const values = Object.fromEntries(kinds[kind].fields.map((field) => [field.id, textFrom(given[field.id])]));
  return { name, dataset, rejectedDataset, kind, values };
}

/** @param stored the source that is replaced: empty secrets keep its ones */
export function sourceBodyOf(draft: SourceDraft, stored: Source | undefined): WriteSource {
  const { name, dataset, rejectedDataset, kind, values } = draft;
  const before = (stored?.properties[kind] ?? {}) as Readonly<Record<string, unknown>>;
  const properties = Object.fromEntries(
    kinds[kind].fields.flatMap((field) => {
      const text = values[field.id] ?? '';
      const isKept = field.kind === 'secret' && before[field.id] !== undefined;
      return text.trim() === '' && !isKept ? [] : [[field.id, valueFrom(field, text)]];
    }),
  );
  return {
    name: name.trim(),
    dataset,
    ...(rejectedDataset !== '' && { rejectedDataset }),
    // The types only know that it is one of the kinds; the server validates the rest.
    properties: { [kind]: properties } as unknown as SourceProperties,
  };
}

/** Missing and wrong fields. */
export function problemsIn({ name, dataset, kind, values }: SourceDraft): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  if (name.trim() === '') problems['name'] = 'Give it a name';
  if (dataset === '') problems['dataset'] = 'Dataset is required';
  for (const { id, title, required, kind: type } of kinds[kind].fields) {
    const text = (values[id] ?? '').trim();
    if (required === true && text === '') problems[id] = `${title} is required`;
    if (type === 'number' && text !== '' && !/^[1-9]\d{0,4}$/.test(text)) problems[id] = 'A whole number from 1';
  }
  return problems;
}

function textFrom(value: unknown): string {
  if (Array.isArray(value)) return value.join('\n');
  if (typeof value === 'boolean') return value ? 'yes' : '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function valueFrom({ kind }: SourceField, text: string): unknown {
  switch (kind) {
    case 'list':
      return text.split(/[\n,;\s]+/).filter((each) => each !== '');
    case 'flag':
      return text === 'yes';
    case 'number':
      return Number(text);
    case 'secret':
    case 'certificate':
      return text;
    case 'text':
    case 'choice':
      return text.trim();
    default:
      return kind satisfies never;
  }
}
