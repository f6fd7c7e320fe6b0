import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { besidePackages, isAssembly, sources } from './sources.ts';

/**
 * Names are nouns or verbs: a participle or adverb alone says neither what a value is nor what a
 * function does, and a search for it finds everything. `sentMessages` and `send` are fine, `sent`
 * is not.
 */
const bare = /^#?[A-Za-z][a-z]*(ed|ing|ly)$/;
const irregular = new RegExp(
  `^#?(${[
    'begun|broken|brought|chosen|done|drawn|found|given|gone|heard|held|hidden|kept|known|left|lost|made|meant',
    'said|seen|sent|shown|spoken|taken|thought|told|went|written',
    'again|always|away|meanwhile|never|once|still|yet',
  ].join('|')})$`,
  'i',
);
/** Nouns and verbs that only look like participles or adverbs. */
const nounsAndVerbs: ReadonlySet<string> = new Set(
  [
    'anomaly apply embed encoding everything family feed finding folding greeting grouping landing listing mapping',
    'meaning multiply need nesting nothing opening padding parsing ping reply ring seed setting sharding sibling',
    'pipelining spacing speed spelling string tally testing thing tiering warning waiting left recently',
  ]
    .join(' ')
    .split(' '),
);
/** Files that are named after what they contain: groups of rules, protocols, attack kinds. */
const fileNames: ReadonlySet<string> = new Set('accounting counting editing loading naming paging rounding'.split(' '));

const isBare = (name: string): boolean =>
  !/^[A-Z]+$/.test(name) &&
  (bare.test(name) || irregular.test(name)) &&
  !nounsAndVerbs.has(name.replace('#', '').toLowerCase());

/** Names declared at the top of a file, and private members of its classes. */
const declaredNames = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /^(?:export )?(?:(?:abstract|async|declare) )*(?:function\*?|class|interface|type|const|let) (\w+)/gm,
    ),
    ...text.matchAll(/^ {2}(?:(?:readonly|static|async|get|set) )*\*?(#\w+)(?:\??:|\(|<| =|;)/gm),
  ].map(([, name]) => name!);

it('finds bare participles and adverbs among declarations', () => {
  const text = 'export const sent = 1;\nclass A {\n  readonly #closed: boolean;\n  async #kept(): Promise<void> {\n';
  expect(declaredNames(text).filter(isBare)).toEqual(['sent', '#closed', '#kept']);
});

it('no declaration is named by a bare participle or adverb', () =>
  expect(
    [...sources, ...besidePackages].flatMap(({ path, text }) =>
      isAssembly(path)
        ? []
        : declaredNames(text.replaceAll(/`[^`]*`/g, ''))
            .filter(isBare)
            .map((name) => `${path}: ${name}`),
    ),
  ).toEqual([]));

it('no file is named by a bare participle or adverb', () =>
  expect(
    [...sources, ...besidePackages]
      .map(({ path }) => path)
      .filter((path) => !isAssembly(path))
      .filter((path) => {
        const name = basename(path).replace(/\..*/, '');
        return isBare(name) && !fileNames.has(name);
      }),
  ).toEqual([]));
