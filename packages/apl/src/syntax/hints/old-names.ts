/**
 * Names that functions, aggregates and operators had in earlier versions of Kusto, and have in many
 * published queries. They are read, with a warning.
 */
export const oldFunctionNames: ReadonlyMap<string, string> = new Map([
  ['any', 'take_any'],
  ['anyif', 'take_anyif'],
  ['argmax', 'arg_max'],
  ['argmin', 'arg_min'],
  ['array_strcat', 'strcat_array'],
  ['arraylength', 'array_length'],
  ['base64_decodestring', 'base64_decode_tostring'],
  ['base64_encodestring', 'base64_encode_tostring'],
  ['columnifexists', 'column_ifexists'],
  ['datepart', 'datetime_part'],
  ['extractall', 'extract_all'],
  ['extractjson', 'extract_json'],
  ['makebag', 'make_bag'],
  ['makelist', 'make_list'],
  ['makelistif', 'make_list_if'],
  ['makeset', 'make_set'],
  ['makesetif', 'make_set_if'],
  ['parsecsv', 'parse_csv'],
  ['parsejson', 'parse_json'],
  ['parsepath', 'parse_path'],
  ['parseurl', 'parse_url'],
  ['make_string', 'unicode_codepoints_to_string'],
  ['to_utf8', 'unicode_codepoints_from_string'],
  ['merge_tdigest', 'tdigest_merge'],
  ['merge_tdigests', 'tdigest_merge'],
  ['parseversion', 'parse_version'],
  ['parsexml', 'parse_xml'],
  ['toobject', 'todynamic'],
  ['weekofyear', 'week_of_year'],
]);

/** Former names of operators. */
export const oldOperatorNames: ReadonlyMap<string, string> = new Map([
  ['filter', 'where'],
  ['mvapply', 'mv-apply'],
  ['mvexpand', 'mv-expand'],
]);

/** Former names of infix operators. */
export const oldInfixNames: ReadonlyMap<string, string> = new Map([
  ['containscs', 'contains_cs'],
  ['endswithcs', 'endswith_cs'],
  ['notcontains', '!contains'],
  ['notcontainscs', '!contains_cs'],
  ['notcontains_cs', '!contains_cs'],
  ['notendswith', '!endswith'],
  ['nothas', '!has'],
  ['notstartswith', '!startswith'],
  ['startswithcs', 'startswith_cs'],
]);
