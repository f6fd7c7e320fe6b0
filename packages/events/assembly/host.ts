/**
 * Functions that the core imports from its host: names, declared schemas and other rare decisions
 * need JavaScript strings. A node is a key under its parents, numbered in order of first occurrence
 * since keys were last cleared; a text is an address and a length, in UTF-8.
 */

/** Gives a key not met before the next number; returns its role. */
export declare function key(parent: i32, text: usize, length: usize): i32;
/** A key too long to retain; it is node −1 until the next such key. */
export declare function longKey(parent: i32, text: usize, length: usize): void;
/**
 * A node, given by its address, got no slot in the table of keys because too many hashes collide;
 * `raw` is the key as written in the body.
 */
export declare function collided(node: usize, parent: i32, raw: usize, length: usize): void;
/** The address of the collided node with this parent and raw key, or 0. */
export declare function known(parent: i32, raw: usize, length: usize): usize;
/** The field of a node in this body: an address returned by `fieldOfBody`. */
export declare function field(node: i32): usize;

/** The current event loses a value of the field because of the schema. */
export declare function refuse(field: i32, type: i32): void;
/** The current event loses the value of a node whose name is too long. */
export declare function dropName(node: i32): void;
/** Drops the value of a CSV column, by its ordinal. */
export declare function dropColumn(column: i32): void;
/**
 * The field for values whose names exceed the number of names per body: an address returned by
 * `fieldOfBody`.
 */
export declare function otherField(): usize;
/**
 * Writes the name of a node, or of a CSV column, as a JSON string; returns its length. There is
 * room for the longest name.
 */
export declare function otherName(node: i32, to: usize): i32;
export declare function otherColumn(column: i32, to: usize): i32;

/** Whether the current event, which lost a value, is stored. */
export declare function dropped(stored: bool): void;

/**
 * Parses a time in an unusual form, a string or a number: nanoseconds, or NO_TIME after recording
 * the error.
 */
export declare function timeOfText(declared: bool, text: usize, length: usize): i64;
export declare function timeOfInteger(declared: bool, value: i64): i64;
export declare function timeOfNumber(declared: bool, text: usize, length: usize): i64;
/** Notes a value that cannot be a time, given by its first byte. */
export declare function timeOfOther(declared: bool, byte: i32): void;
/**
 * The event that begins at `at` is not stored, because its declared time field, or else its
 * `_time`, is invalid.
 */
export declare function timeless(at: usize, declared: bool): void;

/** The double nearest to a number. */
export declare function float(text: usize, length: usize): f64;
/** Writes the JSON text of a double, at most 32 bytes; returns its length. */
export declare function floatText(value: f64, to: usize): i32;
