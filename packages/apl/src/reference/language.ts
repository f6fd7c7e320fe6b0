import type { Differences } from '../functions/define.js';

/**
 * How the language as a whole differs from other dialects; differences of a single function or
 * aggregate are in its record.
 */
export const languageDifferences: readonly (Differences & { readonly point: string })[] = [
  {
    point: 'Results',
    axiom:
      'Numbers have all digits, where printed examples show strings such as `"0.5236"` for `asin(0.5)`, because programs read results.',
  },
  {
    point: '`not x == y`',
    axiom: 'Not documented; here it means `not (x == y)`, the usual intent. `not(x) == y` is a call.',
    kusto: '`not` is a function only.',
  },
  {
    point: 'Regular expressions',
    axiom:
      'An example of `redact` uses look-ahead (`(?!…)`), which is an error here: the engine matches in linear time, which is impossible with look-around.',
  },
  { point: '`case` without a last value', axiom: 'Documented as mandatory, but left out in an example; null here.' },
  {
    point: '`null == null`, `null != null`',
    axiom:
      'Pages disagree; here `==` is false and `!=` true whenever a side is null, so that rows compare predictably.',
    kusto: 'Both are null.',
  },
  {
    point: 'Texts beside other types',
    axiom:
      'Not documented. A string that is compared with a time, number, timespan or boolean is converted, in `in`, `between` and keys of `join` too, and so is one that a function or an operator needs as a time or number; the finding `converted` names the conversion. One that cannot be read is null.',
    kusto: 'An error, except for a literal beside a datetime.',
  },
  {
    point: 'Lists in events',
    axiom:
      'Not documented. `x in (tags)`, where `tags` is an array of each event, finds elements of the type of `x` only: the string `"1"` is not the number 1. For strings write `tostring(x) in (tags)`.',
  },
  { point: 'Negative text operators', axiom: 'Not documented for missing values; true, as with `!=`.' },
  {
    point: 'Nulls in order',
    axiom: 'Not documented; last in both directions, because log readers want data first.',
    kusto: 'First when ascending.',
  },
  {
    point: 'Integer division',
    axiom: 'Not documented; gives an integer. Multiply by `100.0` for a percentage, as documented examples do.',
  },
  {
    point: 'Integers beyond 64 bits',
    axiom:
      'Not documented; arithmetic with integers and `sum` wrap around silently, which is how the engine computes at full speed. Sum durations or other large numbers as reals: `sum(todouble(x))`.',
  },
  {
    point: 'Names of columns',
    axiom:
      'Printed examples disagree. An unnamed aggregate is called after its function and field, as in `avg_duration`; two of one name get the percentage or a number. An unnamed conversion, `bin` or other form of a field keeps its name; anything else is `Column1`.',
    kusto:
      '`make_list_x` and `make_set_x`, which `list_x` and `set_x` find with a warning; `strlen(x)` and its like are `Column1`.',
  },
  {
    point: '`sample`',
    axiom:
      'A fraction in one place, a count in another; below 1 it is a fraction here, and a whole number is one of rows.',
    kusto: 'A number below 1 is a fraction of the rows.',
  },
  {
    point: 'Unknown fields',
    axiom:
      'An error in some places; null here, with the finding `missing_column` and a suggestion, so that a query survives changes in the data.',
    kusto: 'An error.',
  },
  {
    point: "`['a']['b']`, `['a.b']`",
    axiom:
      "Keys of the map field `a` only, and the column `a.b` only. Here both, and `a.b`, mean the same: the column, and where events have none the key, so that a query for `['attributes.custom']['k']` works in any dataset, and before and after `a` was declared. Operators that take columns, such as `project-keep`, `project-rename` and `redact`, mean the column. A dot that is written `\\\\.` in a name is a dot, which is how names are stored here.",
  },
  {
    point: 'Nested objects',
    axiom:
      "Not documented for the object itself. Here `o` is the value under that name in the event, otherwise the object of its members `o.k`. `pack_all()` nests it; `*` means its columns. `project-keep`, `project-rename` and `evaluate bag_unpack` take it as one column, `project-away`, `project-reorder` and `redact` with its members. If a query defines an object `o`, `o.k` is a member of that object, and `['o.k']` the column of the events.",
    kusto:
      '`isempty` is false for an object without members; here true, because an event with `{}` has no value there.',
  },
  {
    point: 'Unknown datasets',
    axiom: 'An error in `union` as well: a result that silently leaves one out would be wrong.',
    kusto: 'No `union isfuzzy=true`.',
  },
  {
    point: '`print` on several lines',
    axiom: 'The examples leave out the commas between lines; accepted, with a warning.',
    kusto: 'An error.',
  },
  {
    point: 'Times',
    axiom:
      'Nanoseconds in 64 bits: the years 1677 to 2262, not 1 to 9999; outside them a literal is an error and a value, also a sum or a difference, is null.',
    kusto: 'Nanoseconds, where Kusto has ticks of 100.',
  },
  {
    point: '`sort-by`',
    axiom: 'In an older version of the documentation, ascending by default. Read as `sort by`, with a warning.',
  },
  { point: 'Weeks', axiom: 'Not documented; `1w` is `7d`.', kusto: 'No unit of weeks.' },
  {
    point: '`join`',
    kusto:
      '`inner` by default, not `innerunique`, which here takes one match for each row of the left side, as a warning says. Hints have no effect; a warning says so.',
  },
  {
    point: '`make-series`',
    axiom:
      'What bins without rows hold is not documented; 0 for numbers and timespans and null for anything else, unless `default` says otherwise. The times are called after the field.',
    kusto:
      'Only over numbers; where the axis is a number, `from`, `to` and `step` are whole. Without `from` and `to` the series covers the time range of the query; the times of the rows do not count; without rows and groups there is one series of defaults, as with `kind=nonempty`. `from` and `to` may be queries, `toscalar(T | …)`.',
  },
  {
    point: '`mv-expand`',
    kusto:
      'An object gives pairs `[key, value]` by default, as in Axiom; `kind=bag` gives objects of one key. Without a kind a warning says so.',
  },
  {
    point: '`parse`',
    axiom:
      'Two printed outputs do not follow from their patterns: that of a user agent, and null for a text in relaxed mode.',
    kusto:
      'With `kind=regex` a column takes as little of the text as possible, not as much; `U` makes only the regular expressions of the pattern lazy, and their groups with names are columns.',
  },
  {
    point: '`parse-kv`',
    axiom:
      'Delimiters may be left out: then blanks and `,`, `;`, `|` and `&` separate pairs, and `=` and `:` keys from values.',
    kusto:
      'Without delimiters anything that is neither a letter nor a digit separates; here those characters do, so that `1.5` stays whole. No `regex`.',
  },
  { point: '`getschema`', kusto: '`DataType` has the names that results have, such as `integer`.' },
  { point: '`count`', kusto: 'The column is called `count`.' },
  {
    point: '`set`',
    axiom: 'Options have no effect; a message says so, except for `stricttypes`, because types are strict here.',
  },
  {
    point: '`let`',
    axiom: 'Axiom has no functions in `let`.',
    kusto: '`view` changes nothing, and neither does `materialize`, as a warning says.',
  },
  {
    point: 'Several values of a call',
    axiom:
      'Not in Axiom: `(a, b) = arg_max(x, y)` names them, and without any name `percentiles(x, 50, 95)` or `series_stats(x)` make a column of each.',
    kusto:
      'With one name, `series_stats` and its like give their array; `p = percentiles(x, 50, 95)` gives `p_50` and `p_95`, and with one percentile `p`.',
  },
  {
    point: 'Older spellings',
    axiom:
      'Those of Kusto, such as `makeset`, `parsejson`, `mvexpand` or `True`, are read as what they are called today, with a warning.',
  },
  {
    point: '`guid`, `decimal`',
    axiom: 'Not in Axiom: texts and reals.',
    kusto: 'A GUID is a text; a literal is in small letters, which compare with those of the data.',
  },
  {
    point: '`evaluate pivot`',
    axiom: 'Not in Axiom.',
    kusto: 'Missing and empty values share the column `(empty)`; a value named like a group gets a number.',
  },
  {
    point: '`evaluate bag_unpack`',
    axiom: 'Not in Axiom.',
    kusto:
      'Texts stay texts even if they look like times. A schema converts what there is, and is null where a column is missing.',
  },
  {
    point: '`scan`',
    axiom: 'Not in Axiom.',
    kusto:
      'Looks at the first 10,000 rows of each table or partition; a warning says so where there may be more. Steps may not ask other tables whether they have a value.',
  },
  {
    point: '`top-hitters`',
    axiom: 'Not in Axiom.',
    kusto: 'Counts and sums are exact; the column is `approximate_count_a` or `approximate_sum_a` anyway.',
  },
  {
    point: '`evaluate ipv4_lookup`',
    axiom: 'Not in Axiom.',
    kusto: 'An address that is a network itself is in wider networks only.',
  },
  {
    point: '`evaluate autocluster`, `basket`, `diffpatterns`',
    axiom: 'Not in Axiom.',
    kusto:
      'All rows are counted, without sampling. Of combinations of values with the same rows, `basket` shows the most specific. `autocluster` and `diffpatterns` show those that neither one value more nor one fewer improves, so there may be others than in Kusto.',
  },
  { point: '`evaluate narrow`', axiom: 'Not in Axiom.', kusto: 'Fields without a dedicated column are left out.' },
  {
    point: '`evaluate preview`',
    axiom: 'Not in Axiom.',
    kusto: 'The rows alone, without a second table with their number.',
  },
  {
    point: '`top-nested`',
    axiom: 'Not in Axiom.',
    kusto: 'The row of others comes after the best values; there is none if nothing is left.',
  },
  { point: '`serialize`, `mv-apply`, `render`, `range`, `toscalar`', axiom: 'Not in Axiom; as in Kusto.' },
  { point: '`partition`', axiom: 'Not in Axiom.', kusto: 'The body may not read other tables.' },
  {
    point: '`fork`, `facet`',
    axiom: 'Not in Axiom.',
    kusto: 'One table, in which the column `fork` or `facet` says what a row is of, not several.',
  },
  {
    point: '`find`',
    axiom: 'Not in Axiom.',
    kusto: 'Without `project` all columns, not those of the predicate and a column `pack_`.',
  },
  {
    point: '`search` without datasets',
    axiom: 'An error; here it searches all that the token may read.',
    kusto: 'The column `$table` is there only if the query names it.',
  },
  { point: '`invoke`', axiom: 'Not in Axiom; as in Kusto.' },
  {
    point: 'Places of tables',
    axiom: 'Not in Axiom.',
    kusto:
      '`workspace("a").T`, `cluster(…)` and `database(…)` have no effect; a warning says so. `_GetWatchlist("a")` is the dataset `a`.',
  },
  {
    point: 'Left out',
    kusto:
      'Graph operators, plugins other than `pivot`, `activity_counts_metrics`, `autocluster`, `bag_unpack`, `basket`, `diffpatterns`, `narrow`, `rows_near`, `ipv4_lookup`, `preview` and `sliding_window_counts`, geometry beyond points, circles and polygons, and functions that the maker of a workspace defines, such as `FileProfile` or `_Im_Dns`.',
  },
  {
    point: 'Null in `join`',
    kusto: 'Rows whose key is null match none; in Kusto texts are never null, so that missing ones match each other.',
  },
  {
    point: 'Texts that are null',
    kusto:
      'A missing text is null, not empty: `isnull(a)` is true. `coalesce`, `isempty`, `a == ""`, `a != ""` and `a in ("")` treat both alike.',
  },
  { point: '`tostring(true)`', kusto: '`true`, not `True`; a warning says so.' },
  { point: '`%`', kusto: 'Of a negative number negative, as in Go; in Kusto never negative.' },
  {
    point: '`bin` of weeks',
    kusto:
      'Multiples of seven days since 1970, so weeks begin on Thursday; in Kusto since year 1, so on Monday. A warning says so for every size that makes a difference. `startofweek` begins on Sunday in both.',
  },
  {
    point: '`reduce`',
    axiom: 'Not in Axiom.',
    kusto:
      'A pattern leaves out what varies by its shape (numbers, identifiers, addresses, quoted texts), not rare parts; `kind`, `threshold` and `characters` have no effect.',
  },
  {
    point: '`trim`, `trim_start`, `trim_end`',
    kusto: 'A set of characters, not a regular expression; a warning says so where it looks like one, or like a word.',
  },
  { point: '`floor`, `ceiling`', kusto: 'Integers; `ceiling` takes no size.' },
  {
    point: '`dayofweek`',
    kusto: 'An integer, not a timespan; beside a timespan or a time it is read as days, with a warning.',
  },
  {
    point: '`parse_url`, `parse_urlquery`',
    kusto:
      'Keys in lower case, and the parameters of `parse_urlquery` at the top level; members are found with those of Kusto too, also `["Query Parameters"]`.',
  },
  { point: '`array_sort_asc`, `array_sort_desc`', kusto: 'One array, not several, and nulls always last.' },
  {
    point: 'Charts over time',
    kusto: 'Grouping by `bin(_time, …)` adds totals and keeps the greatest series; Kusto does neither.',
  },
  {
    point: '`geo_info_from_ip_address`, prices of models, `externaldata`',
    axiom: 'Built in; here the data files and the hosts are settings, and without them the functions are errors.',
  },
  {
    point: 'Files of `externaldata`',
    axiom:
      'The size is that of all files of a query together, decompressed. In `raw`, as in `txt`, each line is a text.',
    kusto: 'Compressed files are gzip, or zip with one file in it. Redirects are not followed.',
  },
];
