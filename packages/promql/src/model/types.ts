/** The types of expressions. */
export type ValueType = 'scalar' | 'vector' | 'matrix' | 'string';

/** As Prometheus names them in errors. */
const typeNames: Readonly<Record<ValueType, string>> = {
  scalar: 'scalar',
  vector: 'instant vector',
  matrix: 'range vector',
  string: 'string',
};

export const typeName = (type: ValueType): string => typeNames[type];
