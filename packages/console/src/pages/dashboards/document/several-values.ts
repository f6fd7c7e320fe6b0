/** Several values of a filter as one text, as addresses and variables have them: `api,web`. */

/** The values in a text; a comma or a backslash within a value has a backslash before it. */
export const valuesIn = (text: string): readonly string[] =>
  text === ''
    ? []
    : (text.match(/(?:[^,\\]|\\[\s\S]?)+|(?<=,|^)(?=,|$)/g) ?? []).map((value) =>
        value.replaceAll(/\\([\s\S])/g, '$1'),
      );

export const valuesText = (values: readonly string[]): string =>
  values.map((value) => value.replaceAll(/[,\\]/g, String.raw`\$&`)).join(',');
