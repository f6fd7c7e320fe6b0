import { call, integer, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { namedMembers, textObject } from '../../lower/json/text-objects.js';
import type { FunctionRecord } from '../define.js';
import { textAfter, textBefore } from './around.js';
import { ofText } from './length-and-case.js';

const extract = (text: Expr, regex: string): Expr => call('extract', text, literal(regex));

/** The parts of a path; `/` and `\` both separate. A drive letter is no scheme. */
const partsOfPath = namedMembers((path) => {
  // The part after the last separator.
  const last = call('basename', path);
  const scheme = extract(path, '^((?:[A-Za-z][A-Za-z0-9+.-]+://)?)');
  const size = call('minus', call('minus', call('length', path), call('length', scheme)), call('length', last));
  const folder = call('substring', path, call('plus', call('length', scheme), integer(1)), size);
  const directory = call(
    'if',
    call('match', folder, literal('^[/\\\\]+$')),
    folder,
    call('trimRight', folder, literal('/\\')),
  );
  const file = textBefore(last, ':');
  return {
    Scheme: textBefore(scheme, ':'),
    RootPath: extract(folder, '^/?([A-Za-z]:)'),
    DirectoryPath: directory,
    DirectoryName: call('basename', directory),
    Filename: file,
    Extension: extract(file, '.\\.([^.]*)$'),
    AlternateDataStreamName: textAfter(last, ':'),
  };
});

export const functions: readonly FunctionRecord[] = [
  ofText(
    'parse_path',
    'The parts of a file path: Scheme, RootPath, DirectoryPath, DirectoryName, Filename, Extension, AlternateDataStreamName.',
    'bag',
    (path) => textObject(path, partsOfPath),
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
