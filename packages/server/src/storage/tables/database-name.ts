/** The database that holds the tables of all datasets. */
export const database = 'millrace';
