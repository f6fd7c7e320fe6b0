/** Packages that no bundle of the command includes: native code, and packages with own threads. */
export const externalPackages = ['@node-rs/crc32', 'chdb', 'libsql', 'pino'];

/** Packages that are optional dependencies of others and not installed. */
export const absentPackages = ['pg-native'];
