/**
 * External data that some functions need. Without it they are rejected while compiling, with the
 * name of the missing setting, because an empty result would look like a real one.
 */
export interface ReferenceData {
  /** Prices by model name. */
  readonly modelPrices?: ReadonlyMap<string, ModelPrice>;
  readonly geoNetworks?: GeoNetworks;
}

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
}

/**
 * A dictionary of the engine with layout IP_TRIE. Its attribute `info` (String) is a JSON text with
 * the properties of a network: `country`, `state`, `city`, `latitude`, `longitude`, `country_iso`,
 * `time_zone`, each "" if unknown.
 */
export interface GeoNetworks {
  readonly database: string;
  readonly dictionary: string;
}
