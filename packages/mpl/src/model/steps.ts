/** The steps of the language, for editors. */

export interface StepRecord {
  readonly doc: string;
  /** How it is written. */
  readonly form: string;
  /** Where it stands: with the source, among the filters, or after them. */
  readonly place: 'source' | 'filter' | 'step';
}

export const steps = {
  where: { place: 'filter', form: 'where tag == "value"', doc: 'Keeps the series whose tags meet a condition.' },
  align: {
    place: 'step',
    form: 'align to 5m using avg',
    doc: 'One value per window and series. Windows begin at multiples of their width.',
  },
  group: {
    place: 'step',
    form: 'group by tag using sum',
    doc: 'Combines the series that have equal tags; the other tags are dropped.',
  },
  map: { place: 'step', form: 'map rate', doc: 'Changes each value of each series.' },
  bucket: {
    place: 'step',
    form: 'bucket by tag to 5m using interpolate_cumulative_histogram(rate, 0.5, 0.99)',
    doc: 'Quantiles and statistics of histograms, or of the values themselves.',
  },
  as: { place: 'step', form: 'as name', doc: 'Renames the metric.' },
  extend: { place: 'step', form: 'extend tag = "value"', doc: 'Adds tags; after all other steps.' },
  offset: {
    place: 'source',
    form: 'offset -1w',
    doc: 'Reads an earlier time and shows it at the times of the query. Directly after the source.',
  },
  sample: { place: 'source', form: 'sample 0.1', doc: 'Keeps a fraction of the series.' },
} as const satisfies Readonly<Record<string, StepRecord>>;

/** Comparisons of filters. */
export const filterOperators: Readonly<Record<string, string>> = {
  '==': 'The tag has this value.',
  '!=': 'The tag has another value.',
  '<': 'The value is smaller.',
  '<=': 'The value is at most this.',
  '>': 'The value is larger.',
  '>=': 'The value is at least this.',
  in: 'The value is one of a list: `in ["a", "b"]`.',
  contains: 'The tag is an array with this element.',
  is: 'The tag has a value of a type: `is string`.',
};
