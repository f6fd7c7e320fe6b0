import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aggregateNames } from '../aggregates/index.js';
import { functions } from '../functions/index.js';

/** Functions that the generator omits, with the reason. It must cover all others. */
const leftOut: Readonly<Record<string, string>> = {
  rand: 'random',
  new_guid: 'random',
  bin_auto: 'the bins depend on the range and on settings',
  geo_info_from_ip_address: 'reads a file',
  genai_get_pricing: 'reads a file',
  genai_cost: 'reads a file',
  genai_input_cost: 'reads a file',
  genai_output_cost: 'reads a file',
  hash: 'the hash is not promised',
  __hash_xxh64: 'the hash has no implementation to compare with',
  parse_sql: 'the parts of a statement would need a second parser',
  format_sql: 'the parts of a statement would need a second parser',
  parse_command_line: 'not documented',
  estimate_data_size: 'of a column, the length of its text',
  has_any_index: 'terms are found as in has_any',
  iscc: 'the ranges of numbers that belong to cards are not documented',
  histogram: 'estimated',
  histogramif: 'estimated',
  phrases: 'estimated',
  series_decompose: 'computed by hand: another implementation would be the same program again',
  series_decompose_anomalies: 'computed by hand, as series_decompose',
  series_decompose_forecast: 'computed by hand, as series_decompose',
  series_outliers: 'computed by hand, as series_decompose',
  series_fit_line: 'computed by hand, as series_decompose',
  geo_distance_2points: 'the engine has the geometry',
  geo_point_in_circle: 'the engine has the geometry',
  geo_point_to_geohash: 'the engine has the geometry',
  geo_geohash_to_central_point: 'the engine has the geometry',
  geo_point_in_polygon: 'reads coordinates, which random objects do not have',
  series_fit_2lines: 'computed by hand, as series_decompose',
  series_fit_2lines_dynamic: 'computed by hand, as series_decompose',
  series_fit_line_dynamic: 'written in the language',
  series_seasonal: 'written in the language',
  series_periods_detect: 'computed by hand, as series_decompose',
  series_periods_validate: 'computed by hand, as series_decompose',
  set_equals: 'written in the language',
  toguid: 'written in the language',
  around: 'written in the language',
  presence: 'written in the language',
  hash_many: 'the hash is not promised',
  parse_ipv6: 'the engine reads the addresses, as in ipv6_compare',
  parse_ipv6_mask: 'the engine reads the addresses, as in ipv6_compare',
  erf: 'no implementation to compare with',
  erfc: 'no implementation to compare with',
  covariance: 'random rows have no two columns that vary together',
  covarianceif: 'random rows have no two columns that vary together',
  covariancep: 'random rows have no two columns that vary together',
  covariancepif: 'random rows have no two columns that vary together',
  stdevpif: 'the condition is inserted as in stdevif',
  variancepif: 'the condition is inserted as in varianceif',
  repeat: 'short enough to be written out',
  replace_strings: 'replace_string, one after the other',
  parse_xml: 'random texts are no XML',
  treepath: 'its paths are in the order of the text, which the evaluator has not',
  row_rank_dense: 'written in the language',
  row_rank_min: 'written in the language',
  row_window_session: 'written in the language',
  row_session: 'random rows have too few times that are near each other',
  parse_user_agent: 'a table of programs, which random texts do not name',
  datetime_utc_to_local: 'the engine knows the zones',
  datetime_local_to_utc: 'the engine knows the zones',
  hll: 'estimated',
  hll_if: 'estimated',
  hll_merge: 'estimated',
  dcount_hll: 'estimated',
  tdigest: 'estimated',
  tdigest_merge: 'estimated',
  percentile_tdigest: 'estimated',
  percentilew: 'random rows have no weights',
  make_list_with_nulls: 'without an order of rows, any order of the values is right',
  parse_version: 'random texts are no versions',
  make_bag: 'of several values of a key any is taken',
  make_bag_if: 'of several values of a key any is taken',
  spotlight: 'the scores are not documented',
};

const folder = join(import.meta.dirname, '../testing/generator');
const generator = readdirSync(folder)
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n');
const isGenerated = (name: string): boolean => new RegExp(`\\b${name}\\(|'${name}'`).test(generator);

test('random queries call every function and aggregate, except the ones with a documented reason', () => {
  const all = [...functions.map(({ name }) => name), ...aggregateNames()];
  expect(all.filter((name) => !isGenerated(name)).toSorted()).toEqual(Object.keys(leftOut).toSorted());
});
