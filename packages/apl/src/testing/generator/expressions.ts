import type { Type } from '../evaluator/values.js';
import { literal, nullOf } from './cells.js';
import type { Choices } from './choices.js';
import { ofType } from './shape.js';
import type { Shape } from './shape.js';

export const types: readonly Type[] = ['long', 'string', 'real', 'bool', 'datetime', 'timespan', 'dynamic'];

/** How to write an expression of a type over the available fields. */
type Recipe = (e: Expressions, depth: number) => string;

/** Makes random expressions of given types. */
export class Expressions {
  readonly choices: Choices;
  readonly shape: Shape;

  constructor(choices: Choices, shape: Shape) {
    this.choices = choices;
    this.shape = shape;
  }

  /** An expression of a type, at most `depth` calls deep. */
  of(type: Type, depth: number): string {
    const fields = ofType(this.shape, type);
    // Only fields are mixed.
    if (type === 'mixed') return fields.length > 0 ? this.choices.of(fields).name : this.of('string', depth);
    if (depth > 0 && !this.choices.oneIn(3)) return this.choices.of(recipes[type])(this, depth - 1);
    if (fields.length > 0 && !this.choices.oneIn(3)) return this.choices.of(fields).name;
    return this.choices.oneIn(12) ? nullOf(type) : literal(this.choices, type);
  }

  /** Something dynamic that may well be an array or an object: a field or a literal. */
  dynamic(what: 'list' | 'bag' | 'holder'): string {
    const fields = ofType(this.shape, 'dynamic').filter((field) => field.wild !== true);
    return fields.length > 0 && !this.choices.oneIn(4) ? this.choices.of(fields).name : this.choices.of(holders[what]);
  }

  /** An expression of any type. */
  any(depth: number): string {
    return this.of(this.choices.of(types), depth);
  }
}

/** A recipe for a call written with placeholders: `strlen($string)`; every `$same` in a call has the same type. */
function template(text: string): Recipe {
  return (e, depth) => {
    const same = e.choices.below(types.length);
    return text.replaceAll(/\$(\w+)/g, (_, what: string) => {
      if (what === 'any') return e.any(depth);
      if (what === 'same') return e.of(types[same]!, depth);
      if (what === 'literal') return literal(e.choices, 'string');
      if (what === 'scale') return e.choices.of(['1', '2', '5', '60', '1000']);
      if (what === 'small') return e.choices.of(['0', '1', '2', '-1', '-2', '5']);
      if (what === 'step') return e.choices.of(['1h', '1s', '15m', '1d', '7d', '7h']);
      if (what === 'size') return e.choices.of(['0.5', '2.0', '0.25', '10.0']);
      if (what === 'unit') return e.choices.of(['day', 'hour', 'month', 'year']);
      if (what === 'move') return e.choices.of(['day', 'month', 'year']);
      if (what === 'key') return e.choices.of(['k', 's', 'l', 'n', 'nope']);
      if (what === 'list' || what === 'bag' || what === 'holder') return e.dynamic(what);
      if (what === 'time')
        return ofType(e.shape, 'datetime').some(({ name }) => name === '_time') ? '_time' : e.of('datetime', 0);
      if (what === 'needle') return e.choices.of(needles);
      if (what === 'regex') return e.choices.of(regexes);
      return e.of(what as Type, depth);
    });
  };
}

const lists = [
  'dynamic([1, 2, 3])',
  'pack_array("a", 1, long(null))',
  'dynamic([])',
  'split("a,b,,c", ",")',
  'dynamic([{"k": 1}, ["x"], null])',
];
const bags = ['dynamic({"k": 1, "s": "a", "l": [1, "x"]})', 'dynamic({"k": {"s": "b"}, "n": null})', 'dynamic({})'];
const holders = { list: lists, bag: bags, holder: [...bags, ...lists] };

const needles = [
  '"a"',
  '"error"',
  '"A"',
  '"api"',
  '"foo"',
  '"bar-"',
  '"ä"',
  '"Ö"',
  '"é"',
  '"😀"',
  '""',
  '"1"',
  '"b c"',
  '"/"',
  '"語"',
  '"\\""',
];
const regexes = ['"[0-9]+"', '"^a"', '"b$"', '"(?:e|r)+o"', '"\\\\d\\\\.\\\\d"', '"a.b"', '"^$"', '"[^a-z]"', '"x?y*"'];

const textOps = ['has', 'contains', 'startswith', 'endswith', 'hasprefix', 'hassuffix'];
const allTextOps = [...textOps.flatMap((op) => [op, `!${op}`, `${op}_cs`, `!${op}_cs`]), '=~', '!~'];

const recipes: Readonly<Record<Exclude<Type, 'mixed'>, readonly Recipe[]>> = {
  bool: [
    ...['==', '!=', '<', '<=', '>', '>='].flatMap((op) =>
      ['long', 'real', 'string', 'datetime', 'timespan'].map((type) => template(`($${type} ${op} $${type})`)),
    ),
    ...['==', '!=', '<'].flatMap((op) => [
      template(`($long ${op} $real)`),
      template(`($dynamic ${op} $string)`),
      template(`($dynamic ${op} $long)`),
      template(`($bool ${op === '<' ? '==' : op} $bool)`),
    ]),
    template('($bool and $bool)'),
    template('($bool or $bool)'),
    template('not($bool)'),
    ...allTextOps.map((op) => template(`($string ${op} $needle)`)),
    ...allTextOps.map((op) => template(`($string ${op} $string)`)),
    template('($dynamic contains $needle)'),
    template('($string matches regex $regex)'),
    template('($string !matches regex $regex)'),
    template('($long in ($long, $long, 200))'),
    template('($long !in ($long, 1))'),
    template('($string in ($string, $needle))'),
    template('($string !in ($needle, $string))'),
    template('($string in~ ($needle, $string, "ERROR"))'),
    template('($string !in~ ($needle, $string))'),
    template('($real in ($real, 0.5, 2))'),
    template('($long in (dynamic([1, 2, "a"])))'),
    template('($string in (dynamic(["a", "b", 1])))'),
    template('($string has_any ($needle, $needle))'),
    template('($string has_any_cs ($needle, "error"))'),
    template('($string has_all ($needle, "a"))'),
    template('($long between ($long .. $long))'),
    template('($real !between ($real .. $real))'),
    template('($datetime between ($datetime .. $datetime))'),
    template('($time between (datetime(2024-06-15T11:10:00Z) .. datetime(2024-06-15T11:40:00Z)))'),
    template('($time > datetime(2024-06-15T11:20:00Z))'),
    template('($time <= datetime(2024-06-15T11:35:00Z))'),
    template('($time >= bin($time, 15m))'),
    template('isnull($any)'),
    ...['==', '!=', '<', '>='].flatMap((op) =>
      ['long', 'real', 'string', 'mixed'].map((type) => template(`($mixed ${op} $${type})`)),
    ),
    template('($mixed in ("info", 3, $long))'),
    template('($mixed !in ($string, 2.5))'),
    template('($mixed contains "o")'),
    template('($mixed !has $needle)'),
    template('isempty($mixed)'),
    template('isnotnull($any)'),
    template('isempty($any)'),
    template('isnotempty($string)'),
    template('isarray($dynamic)'),
    template('ismap($dynamic)'),
    template('bag_has_key($bag, "$key")'),
    template('tobool($string)'),
    template('tobool($long)'),
    template('tobool($real)'),
    template('tobool($dynamic)'),
    template('isnan($real)'),
    template('isfinite($real)'),
    template('iff($bool, $bool, $bool)'),
    template('coalesce($bool, $bool)'),
  ],
  long: [
    template('($long + $long)'),
    template('($long - $long)'),
    template('($long * $long)'),
    template('($long / $long)'),
    template('($long % $long)'),
    template('(-$long)'),
    template('strlen($string)'),
    template('string_size($string)'),
    template('indexof($string, $needle)'),
    template('indexof($string, $string, $small)'),
    template('countof("a", $string)'),
    template('toint($string)'),
    template('tolong($real)'),
    template('toint($bool)'),
    template('toint($datetime)'),
    template('toint($timespan)'),
    template('toint($dynamic)'),
    template('abs($long)'),
    template('floor($real)'),
    template('ceiling($real)'),
    template('floor($long)'),
    template('bin($long, $scale)'),
    template('bin($long, $long)'.replace('$long)', 'abs($long))')),
    template('iff($bool, $long, $long)'),
    template('case($bool, $long, $bool, $long, $long)'),
    template('coalesce($long, $long)'),
    template('max_of($long, $long)'),
    template('min_of($long, $long)'),
    template('array_length($list)'),
    template('array_index_of($list, $string)'),
    template('array_index_of($list, $long)'),
    template('getyear($datetime)'),
    template('monthofyear($datetime)'),
    template('dayofmonth($datetime)'),
    template('dayofyear($datetime)'),
    template('dayofweek($datetime)'),
    template('hourofday($datetime)'),
    template('datetime_diff("$unit", $datetime, $datetime)'),
  ],
  real: [
    template('($real + $real)'),
    template('($real - $real)'),
    template('($real * $real)'),
    template('($real / $real)'),
    template('($real % $size)'),
    template('($long + $real)'),
    template('($real * $long)'),
    template('($long / $real)'),
    template('($dynamic + $long)'),
    template('(-$real)'),
    template('toreal($long)'),
    template('toreal($string)'),
    template('todouble($dynamic)'),
    template('toreal($bool)'),
    template('toreal($mixed)'),
    template('toreal($timespan)'),
    template('abs($real)'),
    template('round($real)'),
    template('round($real, 1)'),
    template('round($real, -2)'),
    template('bin($real, $size)'),
    template('sqrt($real)'),
    template('($timespan / $timespan)'),
    template('iff($bool, $real, $real)'),
    template('iff($bool, $real, $long)'),
    template('coalesce($long, $real)'),
  ],
  string: [
    template('strcat($string, $string)'),
    template('strcat($string, $any, $needle)'),
    template('tostring($mixed)'),
    template('strcat($mixed, $string)'),
    template('gettype($mixed)'),
    template('strcat_delim("-", $any, $string)'),
    template('tostring($any)'),
    template('tostring($dynamic)'),
    template('tolower($string)'),
    template('toupper($string)'),
    template('reverse($string)'),
    template('substring($string, $small)'),
    template('substring($string, $small, $small)'),
    template('substring($string, 1, $long)'),
    template('trim($needle, $string)'),
    template('trim_start("ab ", $string)'),
    template('trim_end("ab ", $string)'),
    template('replace_string($needle, $string, $string)'),
    template('iff($bool, $string, $string)'),
    template('case($bool, $string, $string)'),
    template('coalesce($string, $string)'),
    template('max_of($string, $string)'),
    template('strrep($string, $small)'),
    template('coalesce($string, $string, $string)'),
    template('gettype($any)'),
    template('tostring($holder.$key)'),
  ],
  datetime: [
    template('($datetime + $timespan)'),
    template('($datetime - $timespan)'),
    template('bin($datetime, $step)'),
    template('startofday($datetime)'),
    template('startofweek($datetime)'),
    template('startofmonth($datetime)'),
    template('startofyear($datetime)'),
    template('todatetime($literal)'),
    template('todatetime($long)'),
    template('datetime_add("$move", $small, $datetime)'),
    template('iff($bool, $datetime, $datetime)'),
    template('coalesce($datetime, $datetime)'),
    template('min_of($datetime, $datetime)'),
  ],
  timespan: [
    template('($timespan + $timespan)'),
    template('($timespan - $timespan)'),
    template('($datetime - $datetime)'),
    template('($timespan * $scale)'),
    template('($timespan / $scale)'),
    template('($timespan * $size)'),
    template('bin($timespan, $step)'),
    template('(-$timespan)'),
    template('abs($timespan)'),
    template('totimespan($long)'),
    template('iff($bool, $timespan, $timespan)'),
    template('coalesce($timespan, $timespan)'),
  ],
  dynamic: [
    template('pack_array($any, $any)'),
    template('pack_array($string, $dynamic)'),
    template('bag_pack("k", $any, "s", $any)'),
    template('split($string, $needle)'),
    template('split($string, ",")'),
    template('array_concat($list, $list)'),
    template('array_slice($list, $small, $small)'),
    template('array_slice($list, $small)'),
    template('array_reverse($list)'),
    template('bag_keys($bag)'),
    template('$holder.$key'),
    template('$holder["$key"]'),
    template('$holder[$small]'),
    template('$holder.k.s'),
    template('$holder.l[0]'),
    template('iff($bool, $long, $string)'),
    template('iff($bool, $dynamic, $any)'),
    template('coalesce($dynamic, $any)'),
    template('coalesce($any, $dynamic)'),
    template('todynamic($string)'),
    template('coalesce($mixed, $dynamic, $string)'),
    template('pack_array($mixed, $any)'),
  ],
};
