import { sourceText } from '../bind/names/spelled-name.js';
import type { LetValue } from '../bind/context.js';
import { typeNameOf } from '../model/result-types.js';
import { infixOperators } from '../syntax/infix-operators.js';
import { quoteName } from '../syntax/names.js';
import type { ScalarType } from '../model/types.js';
import type { Entry } from './entries.js';

/** Fields, names of `let` and datasets as an editor shows them. */

/** Words that, unquoted, would not be read as a name. */
const RESERVED: ReadonlySet<string> = new Set([...infixOperators.keys(), 'not', 'true', 'false', 'null']);

/** A name as it has to be written where a value is expected. */
export const nameText = (name: string): string => (RESERVED.has(name) ? quoteName(name) : sourceText(name));

export const fieldEntry = ({
  name,
  readings,
}: {
  readonly name: string;
  readonly readings: readonly { readonly type: ScalarType }[];
}): Entry => {
  const types = typeNameOf(readings.map(({ type }) => type));
  const mixed = readings.length > 1 ? ' Its values have several types; each expression reads those it can use.' : '';
  return { name, detail: `${nameText(name)}: ${types}`, documentation: `A field.${mixed}` };
};

export function letEntry(name: string, value: LetValue): Entry {
  switch (value.kind) {
    case 'scalar':
      return {
        name,
        detail: `let ${nameText(name)}: ${typeNameOf(value.value.map(({ type }) => type))}`,
        documentation: 'A value of this query.',
      };
    case 'table':
      return { name, detail: `let ${nameText(name)}: table`, documentation: 'A table of this query.' };
    case 'function': {
      const params = value.params.map((param) =>
        param.tabular === true ? `${param.name.text}: table` : `${param.name.text}: ${param.type ?? 'dynamic'}`,
      );
      return { name, detail: `${name}(${params.join(', ')})`, documentation: 'A function of this query.' };
    }
  }
}

export const datasetEntry = (name: string): Entry => ({ name, detail: nameText(name), documentation: 'A dataset.' });
