/**
 * The label that names the dataset of a stream, if neither the path nor the tenant does; it does
 * not become a field.
 */
export const datasetLabel = '_axiom_dataset_key';
