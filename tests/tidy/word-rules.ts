import { describe, expect, it } from 'vitest';
import { besidePackages, documents, sources } from './sources.ts';

/**
 * How often phrases occur that native writers of technical English avoid, per 10,000 words. Name
 * the actor instead of using an indefinite pronoun, and split a sentence instead of appending a
 * relative clause.
 */
const awkward = new RegExp(
  String.raw`\b(${[
    'nobody|somebody|everybody|whoever|whomever|whose sake',
    'meanwhile|besides|in vain|anew|once more|all the same|so that nothing',
    'of which|of whom|those that|those who|that of the|what is|as far as|as one',
    'is to be|are to be|was to be|by itself|by themselves|of its own|of their own|of one’s own',
    'the same way as|under way|no longer there|for ever',
  ].join('|')})\b`,
  'gi',
);

interface WordCount {
  readonly words: number;
  readonly phrases: number;
}

function countWords(texts: readonly string[]): WordCount {
  const text = texts.join('\n').replaceAll(/\s+/g, ' ');
  return { words: (text.match(/\p{L}[\p{L}’']*/gu) ?? []).length, phrases: (text.match(awkward) ?? []).length };
}

const perTenThousand = ({ words, phrases }: WordCount): number => (phrases / Math.max(words, 1)) * 10_000;

/** Prose of a page: no code blocks, no code, no addresses of links. */
const proseOf = (markdown: string): string =>
  markdown
    .replaceAll(/^\s*```[^]*?^\s*```/gm, '')
    .replaceAll(/`[^`]*`/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']');

const commentsOf = (code: string): string =>
  [...code.matchAll(/\/\*\*?([^]*?)\*\/|(?:^|\s)\/\/([^\n]*)/g)]
    .map(([, block, line]) => (block ?? line ?? '').replaceAll(/^\s*\*/gm, ''))
    .join('\n');

/** Strings and text between tags that have a space: identifiers and class names have none. */
const textsOf = (code: string): string =>
  [
    ...code
      .replaceAll(/\/\*[^]*?\*\/|(^|\s)\/\/[^\n]*/g, '')
      .matchAll(/'([^'\\\n]* [^'\\\n]*)'|`([^`]* [^`]*)`|>([^<>{}]* [^<>{}]*)</g),
  ]
    .map(([, single, template, child]) => single ?? template ?? child ?? '')
    .join('\n');

/** First arguments of `describe`, `it` and `test`, with modifiers such as `.each(…)` or not. */
const titlesOf = (code: string): string =>
  [
    ...code.matchAll(
      /(?<![\w.])(?:describe|it|test)(?:\.\w+\([^]*?\)|\.\w+)?\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"([^"\n]*)"|`([^`]*)`),/g,
    ),
  ]
    .map(([, single, double, template]) => single ?? double ?? template ?? '')
    .join('\n');

const isGenerated = ({ text }: { readonly text: string }): boolean => text.includes('by `npm run docs');
const isLab = ({ path }: { readonly path: string }): boolean => path.startsWith('lab/');
const isDecision = ({ path }: { readonly path: string }): boolean => path.startsWith('docs/decisions/');
const isText = ({ path }: { readonly path: string }): boolean =>
  /^packages\/(console|cli)\/src\/.*\.tsx?$/.test(path) || /^packages\/(api|http)\/src\//.test(path);

const code = [...sources, ...besidePackages];
const product = sources.filter(({ test }) => !test);

/**
 * Kind of prose → its texts and the most phrases per 10,000 words. The goal is 3 for each: lower a
 * limit when its figure has fallen.
 */
const kinds: Readonly<Record<string, { readonly texts: readonly string[]; readonly limit: number }>> = {
  'user pages, README, ARCHITECTURE and the like': {
    texts: documents
      .filter((page) => !isGenerated(page) && !isLab(page) && !isDecision(page))
      .map(({ text }) => proseOf(text)),
    limit: 3,
  },
  decisions: { texts: documents.filter(isDecision).map(({ text }) => proseOf(text)), limit: 3 },
  'lab notes': { texts: documents.filter(isLab).map(({ text }) => proseOf(text)), limit: 3 },
  'generated pages': { texts: documents.filter(isGenerated).map(({ text }) => proseOf(text)), limit: 3 },
  comments: { texts: code.map(({ text }) => commentsOf(text)), limit: 3 },
  'titles of tests': { texts: code.map(({ text }) => titlesOf(text)), limit: 3 },
  'texts of console, command, errors and settings': {
    texts: product.filter(isText).map(({ text }) => textsOf(text)),
    limit: 3,
  },
};

describe('words', () => {
  it('knows phrases across lines', () =>
    expect(countWords(['Nobody\nmay, all\n  the same, ask'])).toEqual({ words: 6, phrases: 2 }));

  it('finds titles of tests behind modifiers', () =>
    expect(
      titlesOf("it('a b', f); describe.each([f('x')])('c', f);\nit.skipIf(no)(`d`, f); await split('e', f)").split(
        '\n',
      ),
    ).toEqual(['a b', 'c', 'd']));

  it.each(Object.entries(kinds))('%s have few awkward phrases', (_, { texts, limit }) =>
    expect(perTenThousand(countWords(texts))).toBeLessThanOrEqual(limit),
  );
});
