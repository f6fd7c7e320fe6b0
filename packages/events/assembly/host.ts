/**
 * What the reader asks of its host: names, declared schemas and other rare decisions live where there are strings. A node is a key under its
 * parents, numbered in the order in which keys were met since all were forgotten; a text is a place in memory and a length, as UTF-8.
 */

/** A key not met before gets the next number; answers its {@link Role}. */
export declare function key(parent: i32, text: usize, length: usize): i32;
/** A key too long to be remembered; it is the node −1 until the next one. */
export declare function longKey(parent: i32, text: usize, length: usize): void;
/** A node, by its address, was given no slot in the table of keys, because too many have its hash; `raw` is how it stands in the body. */
export declare function collided(node: usize, parent: i32, raw: usize, length: usize): void;
/** The address of the node that collided and stands there like this, or 0. */
export declare function known(parent: i32, raw: usize, length: usize): usize;
/** The field of a node in this body: an address that `newField` answered. */
export declare function field(node: i32): usize;

/** The current event loses a value of the field because of the schema. */
export declare function refuse(field: i32, type: i32): void;
/** The current event loses the value of a node whose name is too long. */
export declare function dropName(node: i32): void;
/** The same for a column of CSV, by its ordinal. */
export declare function dropColumn(column: i32): void;
/** The current event, which lost something, is stored or not. */
export declare function dropped(stored: bool): void;

/** A text or number that supplies the time and is nothing usual: nanoseconds, or NO_TIME after noting what is wrong with it. */
export declare function timeOfText(declared: bool, text: usize, length: usize): i64;
export declare function timeOfInteger(declared: bool, value: i64): i64;
export declare function timeOfNumber(declared: bool, text: usize, length: usize): i64;
/** A value that cannot be a time, by its first byte. */
export declare function timeOfOther(declared: bool, byte: i32): void;
/** The event that begins at `at` was read, but the declared field, or `_time`, is wrong: it is not stored. */
export declare function timeless(at: usize, declared: bool): void;

/** The double nearest to a number. */
export declare function float(text: usize, length: usize): f64;
/** Writes the JSON text of a double, 32 bytes at most; answers its length. */
export declare function floatText(value: f64, to: usize): i32;
