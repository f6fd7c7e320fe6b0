/**
 * The meaning of a code, and a query that raises it; the tests compile each query over the samples
 * of `testing/sample.ts`.
 */
interface CodeRecord {
  readonly doc: string;
  readonly example: string;
}

/** The kinds of findings, by code. */
export const diagnosticCodes = {
  syntax: { doc: 'The text cannot be read.', example: 'logs | where (id == 1' },
  unknown_dataset: { doc: 'No dataset, view or table of the query has this name.', example: 'lgos | count' },
  unknown_function: { doc: 'No function or plugin has this name.', example: 'logs | extend x = strlne(method)' },
  unknown_operator: { doc: 'No operator has this name.', example: 'logs | smmarize count()' },
  missing_column: {
    doc: 'No event has had the field so far, or an earlier operator dropped it; it reads as null.',
    example: 'logs | where statsu == 200',
  },
  argument_count: { doc: 'Too few or too many arguments.', example: 'logs | extend n = strlen()' },
  argument_type: { doc: 'An argument has a type that does not fit.', example: 'logs | extend n = strlen(id)' },
  not_constant: {
    doc: 'A value must be a constant, known before the query runs.',
    example: 'logs | extend m = extract(method, 1, message)',
  },
  not_aggregate: {
    doc: 'An aggregate is missing or out of place, or rows are grouped by an expression that is not an aggregate.',
    example: 'logs | summarize id + 1',
  },
  type_mismatch: { doc: 'Values have types that do not go together.', example: 'logs | mv-expand method' },
  never_matches: { doc: 'A comparison of types whose values are never equal.', example: 'logs | where id == true' },
  converted: {
    doc: 'A string is converted to a time, number, timespan or boolean, because the query uses it as such.',
    example: 'logs | where method == 5',
  },
  always_true: { doc: 'A condition that excludes nothing.', example: 'logs | where 1 == 1' },
  implicit_end: {
    doc: 'A time range without an end; it ends now.',
    example: 'logs | where _time > ago(1h) | summarize count() by bin(_time, 1m)',
  },
  virtual_field: { doc: 'A virtual field has an error and is left out.', example: 'crooked | count' },
  unsupported: {
    doc: 'Understood, but not possible here.',
    example: 'externaldata (a: string) ["https://example.com/a.csv"]',
  },
  limit: { doc: 'More than the server allows.', example: 'range n from 1 to 101 step 1 | evaluate pivot(n)' },
  name: { doc: 'A name is taken or has no meaning here.', example: 'logs | project id, id = 2' },
  note: { doc: 'Something worth knowing that changes nothing.', example: 'set stricttypes; logs | count' },
} as const satisfies Record<string, CodeRecord>;

/** Stable; clients may rely on them. */
export type DiagnosticCode = keyof typeof diagnosticCodes;
