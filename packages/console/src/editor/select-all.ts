/** Event for the focused editor: selects its text. */
export const SELECT_ALL = 'millrace-select-all';
