/** The database of all datasets' tables. */
export const database = 'millrace';
