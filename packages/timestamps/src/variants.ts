/**
 * Variants of times that are converted to the spelling in `formats.ts`, in this order. The regular
 * expressions have the same meaning in JavaScript and RE2, because both parsers use them: no
 * look-around, no references to groups.
 */
export interface Variant {
  readonly regex: string;
  /** Ignores case. */
  readonly anyCase?: true;
  /** Replaces all matches, not only the first. */
  readonly all?: true;
  /** `$1` is the first group. */
  readonly becomes: string;
}

/**
 * Digits that are a date: 8, 12, 14 or 17 that begin with 19, 20 or 21. With 4 or 6 they are
 * neither a date nor an epoch.
 */
export const datedDigits = '^(?:19|20|21)\\d\\d(?:(?:\\d\\d)?|\\d{4}(?:\\d{4}(?:\\d\\d(?:\\d{3})?)?)?)(?:\\.\\d+)?$';

/** Digits that are a date, with the blanks that make one of the formats of them. */
export const digitVariants: readonly Variant[] = [
  { regex: '^((?:19|20|21)\\d\\d)(\\d\\d)(\\d\\d)$', becomes: '$1-$2-$3' },
  { regex: '^((?:19|20|21)\\d{6})(\\d\\d)(\\d\\d)$', becomes: '$1 $2:$3' },
  { regex: '^((?:19|20|21)\\d{6})(\\d{6})(\\.\\d+)?$', becomes: '$1 $2$3' },
  { regex: '^((?:19|20|21)\\d{6})(\\d{6})(\\d{3})$', becomes: '$1 $2.$3' },
  // Other digits that begin like a date are neither.
  { regex: datedDigits, becomes: '' },
];

export const variants: readonly Variant[] = [
  { regex: '(\\d{4})年(\\d{1,2})月(\\d{1,2})日', becomes: '$1-$2-$3 ' },
  // Blanks that do not break lines, as Intl writes before AM, and those of East Asia.
  { regex: '[\\s\u00a0\u2009\u202f\u3000]+', all: true, becomes: ' ' },
  { regex: '^\\[(.*)\\]$', becomes: '$1' },
  { regex: '^ | $', all: true, becomes: '' },
  // Go's monotonic clock.
  { regex: ' m=[+-][\\d.]+$', becomes: '' },
  // The Python client's format of a time with a zone.
  { regex: '([+-]\\d\\d:\\d\\d)Z$', becomes: '$1' },
  // The name of a zone whose offset is known; Go calls zones without a name by their offset.
  { regex: '([+-]\\d\\d:?\\d\\d|Z) ?(?:\\([^()]*\\)|\\[[^\\[\\]]*\\])$', becomes: '$1' },
  { regex: '([+-]\\d{4}) [+-]\\d\\d(?:\\d\\d)?$', becomes: '$1' },
  { regex: ' \\(([A-Z]{3,5})\\)$', becomes: ' $1' },
  // JSON of .NET, and Git's storage format.
  { regex: '^/Date\\((\\d{12,14})(?:[+-]\\d{4})?\\)/$', becomes: '$1' },
  { regex: '^(\\d{9,10}) [+-]\\d{4}$', becomes: '$1' },
  // DB2, Oracle, and milliseconds after a colon.
  { regex: '^(\\d{4}-\\d\\d-\\d\\d)-(\\d\\d)\\.(\\d\\d)\\.(\\d\\d)', becomes: '$1 $2:$3:$4' },
  {
    regex: '^(\\d\\d?-[A-Z]{3}-\\d\\d(?:\\d\\d)?) (\\d\\d?)\\.(\\d\\d)\\.(\\d\\d)',
    anyCase: true,
    becomes: '$1 $2:$3:$4',
  },
  { regex: '(\\d:\\d\\d:\\d\\d):(\\d{3})([^\\d:]|$)', becomes: '$1.$2$3' },
  // glog, Cisco, Erlang.
  { regex: '^[IWEF](\\d\\d)(\\d\\d) (\\d\\d:)', becomes: '$1-$2 $3' },
  { regex: '^[*.]([A-Z][a-z]{2} )', becomes: '$1' },
  { regex: '(\\d{4})::(\\d)', becomes: '$1 $2' },
  {
    regex: '^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[.,]? ',
    anyCase: true,
    becomes: '',
  },
  {
    regex: '\\b(?:(jan)(?:uary)?|(feb)(?:ruary)?|(mar)(?:ch)?|(apr)(?:il)?|(may)|(jun)e?)\\b\\.?',
    anyCase: true,
    becomes: '$1$2$3$4$5$6',
  },
  {
    regex: '\\b(?:(jul)y?|(aug)(?:ust)?|(sep)(?:t(?:ember)?)?|(oct)(?:ober)?|(nov)(?:ember)?|(dec)(?:ember)?)\\b\\.?',
    anyCase: true,
    becomes: '$1$2$3$4$5$6',
  },
  { regex: '(\\d)(?:st|nd|rd|th)\\b', anyCase: true, becomes: '$1' },
  { regex: ',? at ', anyCase: true, becomes: ' ' },
  { regex: ', ', all: true, becomes: ' ' },
  // Web servers, FIX, ISO 8601 without marks, certificates.
  { regex: '^(\\d\\d?/?[A-Z]{3}/?\\d{4}):(\\d)', anyCase: true, becomes: '$1 $2' },
  { regex: '^(\\d{8})-(\\d\\d?:)', becomes: '$1 $2' },
  { regex: '(\\d)T(\\d)', anyCase: true, becomes: '$1 $2' },
  { regex: '^(\\d{8})(\\d{6})([.,]\\d+)?(Z|[+-]\\d{4})$', becomes: '$1 $2$3$4' },
  { regex: '^(\\d{6})(\\d{6})Z$', becomes: '$1 $2Z' },
  { regex: '^(\\d{4}-\\d\\d)$', becomes: '$1-01' },
  { regex: '(\\d) ?a\\.?m\\b\\.?', anyCase: true, becomes: '$1 AM' },
  { regex: '(\\d) ?p\\.?m\\b\\.?', anyCase: true, becomes: '$1 PM' },
  { regex: ' ?(?:GMT|UTC) ?([+-])(\\d(?::?\\d\\d)?)$', becomes: ' $10$2' },
  { regex: ' ?(?:GMT|UTC) ?([+-]\\d\\d(?::?\\d\\d)?)$', becomes: ' $1' },
  { regex: ' UT$', becomes: ' UTC' },
  { regex: '(\\d) ?z$', anyCase: true, becomes: '$1Z' },
  // The Unix order, which puts the year last.
  {
    regex:
      '^([A-Z]{3} \\d\\d?|\\d\\d? [A-Z]{3}) (\\d\\d?:\\d\\d:\\d\\d(?:[.,]\\d+)?(?: [AP]M)?)( [A-Z]{3,5}| [+-]\\d{4})? (\\d{4})( [A-Z]{3,5}| [+-]\\d{4})?$',
    anyCase: true,
    becomes: '$1 $4 $2$3$5',
  },
];

interface CompiledVariant {
  readonly regex: RegExp;
  readonly becomes: string;
}

const compileVariants = (list: readonly Variant[]): readonly CompiledVariant[] =>
  list.map(({ regex, anyCase, all, becomes }) => ({
    regex: new RegExp(regex, `${all ? 'g' : ''}${anyCase ? 'i' : ''}`),
    becomes,
  }));

const rewrite = (text: string, list: readonly CompiledVariant[]): string =>
  list.reduce((written, { regex, becomes }) => written.replace(regex, becomes), text);

const compiledVariants = compileVariants(variants);
const compiledDigits = compileVariants(digitVariants);

/** The text with its variants converted to the spelling of the formats. */
export const withoutVariants = (text: string): string => rewrite(text, compiledVariants);

/** Digits that are a date as the formats write it. */
export const separatedDigits = (text: string): string => rewrite(text, compiledDigits);
