import { call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { whereAll } from '../../lower/equality.js';
import type { FunctionRecord } from '../define.js';
import { ofText } from './length-and-case.js';
import { textBag } from './text-bag.js';

/** Scheme, directory, file name, alternate stream; `/` and `\` both separate. A drive letter is no scheme. */
const PATH_PARTS = '^(?:([A-Za-z][A-Za-z0-9+.-]+)://)?((?s:.*)[/\\\\])?([^/\\\\:]*)(?::([^/\\\\]*))?$';
const DRIVE = '^/?([A-Za-z]:)';

export const functions: readonly FunctionRecord[] = [
  ofText(
    'parse_path',
    'The parts of a file path: Scheme, RootPath, DirectoryPath, DirectoryName, Filename, Extension, AlternateDataStreamName.',
    'bag',
    (path) => {
      const group = (n: number): Expr => call('arrayElement', column('parts'), integer(n));
      const directory = call(
        'if',
        call('match', group(2), literal('^[/\\\\]+$')),
        group(2),
        call('trimRight', group(2), literal('/\\')),
      );
      const values: readonly (readonly [string, Expr])[] = [
        ['Scheme', group(1)],
        ['RootPath', call('regexpExtract', group(2), literal(DRIVE), integer(1))],
        ['DirectoryPath', directory],
        ['DirectoryName', call('regexpExtract', directory, literal('([^/\\\\]*)$'), integer(1))],
        ['Filename', group(3)],
        ['Extension', call('regexpExtract', group(3), literal('.\\.([^.]*)$'), integer(1))],
        ['AlternateDataStreamName', group(4)],
      ];
      const bag = textBag(call('array', ...values.map(([key, value]) => call('tuple', literal(key), value))));
      const parts = call('extractGroups', call('ifNull', path, literal('')), literal(PATH_PARTS));
      return whereAll(
        [path],
        call('arrayElement', call('arrayMap', lambda(['parts'], bag), call('array', parts)), integer(1)),
      );
    },
    [
      {
        apl: 'parse_path(@"C:\\temp\\file.tar.gz")',
        gives: {
          Scheme: '',
          RootPath: 'C:',
          DirectoryPath: 'C:\\temp',
          DirectoryName: 'temp',
          Filename: 'file.tar.gz',
          Extension: 'gz',
          AlternateDataStreamName: '',
        },
      },
      { apl: 'parse_path("/usr/lib/é.txt").DirectoryName', gives: 'lib' },
      { apl: 'parse_path(@"\\\\share\\users\\a.txt:stream").AlternateDataStreamName', gives: 'stream' },
      { apl: 'parse_path("file:///c:/x/y").Scheme', gives: 'file' },
      { apl: 'parse_path("/x").DirectoryPath', gives: '/' },
      { apl: 'parse_path("").Filename', gives: '' },
    ],
  ),
];
